package report

import "strings"

// systemSays are in Chinese what systems and libraries say when a file cannot be
// read or written, by how their texts begin. Systems end some with a number.
var systemSays = []struct{ said, zh string }{
	{"permission denied", "权限不足"},
	{"operation not permitted", "权限不足"},
	{"no such file or directory", "路径不存在"},
	{"file does not exist", "路径不存在"},
	{"file exists", "文件已存在"},
	{"file already exists", "文件已存在"},
	{"is a directory", "是目录，不是文件"},
	{"not a directory", "上级路径不是目录"},
	{"file name too long", "文件名过长"},
	{"too many levels of symbolic links", "链接层数过多或互相指向"},
	{"too many open files", "打开的文件过多"},
	{"no space left on device", "磁盘空间不足"},
	{"disk quota exceeded", "超出磁盘配额"},
	{"read-only file system", "文件系统只读"},
	{"text file busy", "文件正在使用"},
	{"device or resource busy", "设备或文件正在使用"},
	{"input/output error", "读写出错，可能是磁盘或网络存储故障"},
	{"stale NFS file handle", "网络存储上的文件已失效"},
	{"stale file handle", "网络存储上的文件已失效"},
	{"transport endpoint is not connected", "网络存储已断开"},
	{"connection timed out", "连接超时"},
	{"no such device or address", "设备不存在"},
	{"cannot allocate memory", "内存不足"},
	{"not a regular file", "不是普通文件"},
	{"invalid argument", "文件名或操作无效"},
	{"broken pipe", "管道的另一端已关闭"},
	{"unexpected EOF", "内容提前结束"},
	{"EOF", "内容提前结束"},
	{"the bound on decompressed bytes is reached", "达到总字节上限"},
	{"the xz data is damaged", "xz 数据已损坏"},
	{"the xz data has a filter that is not supported", "xz 数据使用了不支持的过滤器"},
	{"the xz data needs", "解压 xz 数据所需的内存过大"},
	{"the zip data is damaged", "zip 数据已损坏"},
	{"zip: ", "zip 数据已损坏"},
	{"gzip: invalid checksum", "gzip 校验和不符"},
	{"gzip: ", "gzip 数据已损坏"},
	{"flate: ", "压缩数据已损坏"},
	{"bzip2 data invalid", "bzip2 数据已损坏"},
	{"archive/tar: ", "tar 数据已损坏"},
	{"invalid input: ", "zstd 数据已损坏"},
	{"magic number mismatch", "zstd 数据已损坏"},
	{"corrupt", "压缩数据已损坏"},
	{"block checksum", "压缩数据的校验和不符"},
	{"invalid checksum", "压缩数据的校验和不符"},
}

// SystemText words what the system said in a language; a text that is not known
// stays as it is.
func SystemText(lang, said string) string {
	if lang == "en" {
		return said
	}
	for _, s := range systemSays {
		if strings.HasPrefix(said, s.said) {
			return s.zh
		}
	}
	return said
}
