package traceback

// Root returns the index of the exception that is the fault by the structure
// of the chain alone, -1 when there is none.
func (t Traceback) Root() int {
	if len(t.Exceptions) == 0 {
		return -1
	}
	root := 0
	for root+1 < len(t.Exceptions) && t.Exceptions[root+1].Link == Origin {
		root++
	}
	return root
}
