package scan

// spare are lists that a stream needs while a traceback is read, for the next
// stream: thousands of ranks mostly wait, and must not hold one each.
type spare[T any] struct{ lists [][]T }

// mostSpare bounds the lists that wait, and spareRoom what each has room for.
const (
	mostSpare = 64
	spareRoom = 512
)

// take gives an empty list.
func (s *spare[T]) take() []T {
	n := len(s.lists)
	if n == 0 {
		return make([]T, 0, 1)
	}
	list := s.lists[n-1]
	s.lists = s.lists[:n-1]
	return list
}

// rest gives a list, or nil in the place of an empty one, which it keeps. What
// an empty list held must be cleared.
func (s *spare[T]) rest(list []T) []T {
	if len(list) > 0 || list == nil {
		return list
	}
	if cap(list) <= spareRoom && len(s.lists) < mostSpare {
		s.lists = append(s.lists, list)
	}
	return nil
}
