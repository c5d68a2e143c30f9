package traceback

import "testing"

func TestIsUser(t *testing.T) {
	for file, want := range map[string]bool{
		"/home/ma-user/modelarts/user-job-dir/net/train.py": true,
		"train.py":                            true,
		`C:\work\train.py`:                    true,
		"/home/u/lib/python_tools/x.py":       true,
		"/job/bin/train.py":                   true,
		"<stdin>":                             true,
		"<ipython-input-3-5f8a3c1d2e4b>":      true,
		"/tmp/ipykernel_31/123.py":            true,
		"":                                    false,
		"<string>":                            false,
		"<frozen importlib._bootstrap>":       false,
		"/opt/conda/lib/python3.10/runpy.py":  false,
		"/usr/lib/python3/dist-packages/x.py": false,
		"/home/ma-user/anaconda3/envs/PyTorch-2.1.0/bin/torchrun":       false,
		"/opt/conda/lib/python3.10/site-packages/torch/nn/modules/m.py": false,
		`C:\Python310\Lib\site-packages\torch\x.py`:                     false,
		"/usr/local/Ascend/latest/python/te/op.py":                      false,
		"/home/ma-user/modelarts/user-job-dir/ops/x.cpython-310.so":     false,
		"pyarrow/error.pxi":                       false,
		"/tmp/__autograph_generated_file4k2x1.py": false,
		"pandas/_libs/parsers.pyx":                false,
	} {
		if got := isUser(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}
