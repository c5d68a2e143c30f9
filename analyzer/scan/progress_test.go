package scan

import (
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		text string
		step int64
		ok   bool
	}{
		{"step 80 loss 0.55730 grad 0.506", 80, true},
		{"llama [rank 0] step 2110 loss 0.5932 tok/s 8169", 2110, true},
		{" iteration     1200/  500000 | lm loss: 2.113E+00 | loss scale: 1.0 |", 1200, true},
		{"Epoch: [3][ 450/1000] eta: 0:01:02 loss: 1.02", 3, true},
		{"epoch: 1 step: 100, loss is 2.3", 100, true},
		{"{'loss': 1.9321, 'grad_norm': 0.83, 'epoch': 0.4}", -1, true},
		{"{'loss': 1.02, 'learning_rate': 1.2e-05, 'epoch': 1.20, 'step': 340}", 340, true},
		{" 45%|████▌     | 450/1000 [03:20<04:05,  2.24it/s, err=0.031]", 450, true},
		{"Epoch 1:  45%|████▌     | 450/1000 [03:20<04:05,  2.24it/s]", 1, true},
		{"Training:  45%|████▌     | 450/1000 [03:20<04:05,  2.24it/s]", 450, true},
		{"Loading checkpoint shards:  28%|██▊       | 28/100 [00:09<00:20,  3.5it/s]", -1, false},
		{"Map (num_proc=8):  74%|███████▎  | 784320/1060000 [00:41<00:14, 18932.11 examples/s]", -1, false},
		{"Running tokenizer on dataset:  50%|█████     | 500/1000 [00:01<00:01, 400.1 examples/s]", -1, false},
		{"train: Scanning /cache/labels... 120 images, 0 corrupt:  60%|██████    | 120/200 [00:01<00:01]", -1, false},
		{"Extracting data files: 100%|██████████| 3/3 [00:02<00:00,  1.3it/s]", -1, false},
		{"Generating train split:  10%|█         | 100/1000 [00:00<00:01]", -1, false},
		{"Removing temp files: 100%|██████████| 4/4 [00:00<00:00, 90.1it/s]", -1, false},
		{"  0%|          | 0/1000 [00:00<?, ?it/s]", -1, false},
		{"step 10 loss 1.5 " + strings.Repeat("x", longest), -1, false},
		{"news rank 3 step 1200 ndcg 0.3540 qps 5119", 1200, true},
		{"step 490", 490, true},
		{"[rank 3] iter 12", 12, true},
		{"Epoch 3/10", 3, true},
		{"epoch 2 step 30", 30, true},
		{"tick 24    kimg 9996.0   time 41m 39s sec/tick 70.1", 9996, true},
		{"tick 24", -1, false},
		{"Step 2", -1, false},
		{"Step 2:", -1, false},
		{"see the failure at step 12", -1, false},
		{"Step 3/12 : RUN pip install", -1, false},
		{"step 12 of torch 2.3.1 build", -1, false},
		{"Saving model checkpoint to /cache/step_2000", -1, false},
		{"max_steps: 1000, warmup_steps: 10", -1, false},
		{"RuntimeError: shape '[4, 8]' is invalid", -1, false},
		{"Timestep embedding size 128 loss fn mse", -1, false},
	} {
		step, _, ok := progress(c.text)
		if ok != c.ok || step != c.step {
			t.Errorf("progress(%q) = %d, %v, want %d, %v", c.text, step, ok, c.step, c.ok)
		}
	}
}

func TestRankIn(t *testing.T) {
	for text, want := range map[string]int{
		"news rank 3 step 1200": 3, "[rank 12] step 1": 12, "rank=7 iter 3": 7, "rank:0 step 2": 0,
		"low rank adapters step 3": -1, "lorarank 3": -1, "rank 1.5 of": -1, "step 3": -1, "rank": -1,
	} {
		if got := rankIn(text); got != want {
			t.Errorf("rankIn(%q) = %d, want %d", text, got, want)
		}
	}
}

// Every word of counters, or its last part, is looked for where it begins.
func TestCountsFromEveryCounter(t *testing.T) {
	for _, w := range counters {
		w = w[strings.LastIndexByte(w, '_')+1:]
		if !countsFrom(w[0], w[1]) {
			t.Errorf("%q is never found", w)
		}
	}
}

// A bar that is drawn again when an exception closes it tells no step; the next
// count, a bar of another label and any bar of a job that is well do.
func TestRedrawn(t *testing.T) {
	const at60, at61 = "  5%|▌         | 60/1200 [01:13<23:22,  1.23s/it]", "  5%|▌         | 61/1200 [01:14<23:22,  1.23s/it]"
	for _, c := range []struct {
		name, before, behind string
		alarmed, want        bool
	}{
		{"the last bar again behind an error", at60, at60, true, true},
		{"with another time", at60, "  5%|▌         | 60/1200 [02:13<23:22,  2.23s/it]", true, true},
		{"the last bar again", at60, at60, false, false},
		{"the next count", at60, at61, true, false},
		{"another bar", "Epoch 1: " + at60, "Eval: " + at60, true, false},
		{"no bar", at60, "step 60 loss 2.1", true, false},
		{"the first bar", "step 59 loss 2.1", at60, true, false},
	} {
		st := &stream{}
		st.redrawn(barIn(c.before))
		if st.alarmed = c.alarmed; st.redrawn(barIn(c.behind)) != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
	}
}
