package verdict

import (
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
)

// The functions of which one is among the frames of what reads samples, and of
// what reads a model.
var (
	samples = lazy.Regexp(`^(?:__getitem__|__iter__|_worker_loop|fetch|pin_memory|map_fn|_?(?:read|load|get)_?(?:sample|item|record|example|image|volume|clip|shard|batch)s?)$|(?i:collate|dataset)`)
	weights = lazy.Regexp(`^(?:from_pretrained|resume|restore)$|(?i:(?:load|read|restore)_?\w*(?:weight|checkpoint|ckpt|state_dict|model|optimizer|params)|resume_from|maybe_resume)`)
)

// settleObject decides by the frames whether a damaged file holds data or a
// model, where the message is the same.
func (x *candidate) settleObject() {
	if !x.event.Rule.Tells(rules.AnyFile) {
		return
	}
	switch data, model := x.within(samples()), x.within(weights()); {
	case data && !model:
		x.cause = "data-corrupt"
	case model && !data:
		x.cause = "checkpoint-corrupt"
	}
}
