package report

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unicode"
)

// TestSystemTextIsChinese: what a system says of files is Chinese in Chinese
// notes, and as it is in English ones.
func TestSystemTextIsChinese(t *testing.T) {
	_, err := os.ReadFile(filepath.Join(t.TempDir(), "none"))
	said := []string{err.(*os.PathError).Err.Error()}
	for _, e := range []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.ENOENT, syscall.EISDIR, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EMFILE, syscall.ENOSPC, syscall.EROFS, syscall.EIO, syscall.EINVAL, syscall.EEXIST, syscall.EBUSY, syscall.ENXIO, syscall.ENOMEM} {
		said = append(said, e.Error())
	}
	for _, s := range append(said, "unexpected EOF", "gzip: invalid header", "the xz data needs 900 MiB of memory") {
		zh := NoteText("zh", "unreadable", []string{s})
		for _, r := range zh[len("无法读取："):] {
			if unicode.Is(unicode.Latin, r) && zh != "无法读取：gzip 数据已损坏" && zh != "无法读取：解压 xz 数据所需的内存过大" {
				t.Errorf("%q is said as %q", s, zh)
				break
			}
		}
		if en := NoteText("en", "unreadable", []string{s}); en != "cannot be read: "+s {
			t.Errorf("%q is said as %q", s, en)
		}
	}
	if got := NoteText("zh", "unreadable", []string{"what nobody knows"}); got != "无法读取：what nobody knows" {
		t.Errorf("an unknown text becomes %q", got)
	}
}
