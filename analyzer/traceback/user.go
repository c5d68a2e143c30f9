package traceback

import "strings"

// notUser are parts of a path that show that a file belongs to the
// interpreter, to an installed package or to a launcher.
var notUser = []string{
	"/site-packages/", "/dist-packages/", ".egg/",
	"/lib/python2", "/lib/python3", "/lib64/python2", "/lib64/python3", "/conda/lib/",
	"/torch/distributed/", "/torch/multiprocessing/", "/ipykernel/", "/Ascend/", "/moxing/",
}

// launchers are programs that start a training script.
var launchers = map[string]bool{
	"torchrun": true, "deepspeed": true, "accelerate": true, "lightning": true, "fabric": true,
	"hydra": true, "click": true, "ray": true, "horovodrun": true, "mpirun": true, "colossalai": true,
	"msrun": true, "moxing": true, "llamafactory-cli": true, "swift": true, "xtuner": true, "composer": true,
}

// IsUser reports whether a file may be the user's own code.
func IsUser(file string) bool { return isUser(file) }

// isUser tells whether a file may be the user's own code.
func isUser(file string) bool {
	if file == "" || file[0] == '<' && file != "<stdin>" && !strings.HasPrefix(file, "<ipython-input-") {
		return false // "<string>" is mostly how multiprocessing starts a worker
	}
	path := strings.ReplaceAll(file, `\`, "/")
	for _, part := range notUser {
		if strings.Contains(path, part) {
			return false
		}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if launchers[name] || strings.HasSuffix(path, "/bin/"+name) && !strings.Contains(name, ".") {
		return false
	}
	if strings.HasPrefix(name, "__autograph_generated_file") {
		return false // what TensorFlow made of the user's function
	}
	return !strings.Contains(name, ".so") && !strings.HasSuffix(name, ".pyx") && !strings.HasSuffix(name, ".pxi")
}

// UserFrames returns the frames in the user's own code, outermost first.
func (e Exception) UserFrames() []Frame {
	var user []Frame
	for _, f := range e.Frames {
		if f.User {
			user = append(user, f)
		}
	}
	return user
}
