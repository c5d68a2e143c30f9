package traceback

// StackParser reads dumps of threads.
type StackParser struct{ emit func(Stack) }

// NewStacks returns a parser that hands each thread of a dump to emit.
func NewStacks(emit func(Stack)) *StackParser { return &StackParser{emit: emit} }

// Add takes the next line.
func (p *StackParser) Add(at int, text string) Part { return Outside }

// Close emits what is still open.
func (p *StackParser) Close() {}
