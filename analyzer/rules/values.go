package rules

// Value is a part of a line that an expression names.
type Value struct{ Name, Text string }

// Values are the named parts of a line, each name once. A list takes a quarter
// of the memory of a map, and of most rules thousands are held.
type Values []Value

// Get gives the part with a name, "" when the line has none.
func (v Values) Get(name string) string {
	for i := range v {
		if v[i].Name == name {
			return v[i].Text
		}
	}
	return ""
}

// Map gives the values by name, nil when there are none.
func (v Values) Map() map[string]string {
	if len(v) == 0 {
		return nil
	}
	m := make(map[string]string, len(v))
	for _, p := range v {
		m[p.Name] = p.Text
	}
	return m
}

// set gives a name a text, in the place of what it had.
func (v *Values) set(name, text string) {
	for i := range *v {
		if (*v)[i].Name == name {
			(*v)[i].Text = text
			return
		}
	}
	*v = append(*v, Value{name, text})
}
