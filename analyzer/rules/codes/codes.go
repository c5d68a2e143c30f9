// Package codes says what the numbers and codes mean that programs end with and
// print: exit codes, signals, errno, NVIDIA Xid, CANN, HCCL, ACL, torch_npu and
// ModelArts. Its knowledge is the tables beside it; what stands in none of them
// is unknown, and no meaning is made up for it.
package codes

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"hcloud-modelarts/analyzer/rules"
)

// Table is a system of codes.
type Table string

// The tables, in the order in which readings of one number are given.
const (
	Exit       Table = "exit"
	Signal     Table = "signal"
	Errno      Table = "errno"
	Xid        Table = "xid"
	HCCL       Table = "hccl"
	ACL        Table = "acl"
	CANN       Table = "cann"
	TorchNPU   Table = "torchnpu"
	ModelArts  Table = "modelarts"
	cannModule Table = "cannmodule"
)

// Tables are all tables that can be asked.
var Tables = []Table{Exit, Signal, Errno, Xid, HCCL, ACL, CANN, TorchNPU, ModelArts}

// Entry is one reading of a code.
type Entry struct {
	Table   Table
	Code    string // as it is printed: "137", "EI0002", "ModelArts.2763"
	Name    string // symbolic name, "" when there is none
	Meaning rules.Text
	Fix     rules.Text // empty when nothing has to be done
	Cause   string     // the cause that it points at, "" or "unknown" when it does not tell
	Source  string     // where the meaning is documented
}

//go:embed tables/*.tsv
var files embed.FS

// entries gives the rows of each table in the order of its file. Most diagnoses
// ask one of them, so each is read when it is first asked.
var entries = func() map[Table]func() []Entry {
	all := map[Table]func() []Entry{}
	for _, t := range append([]Table{cannModule}, Tables...) {
		all[t] = sync.OnceValue(func() []Entry {
			rows, err := read(t)
			if err != nil {
				panic(err) // the embedded tables are broken: a test would have told
			}
			return rows
		})
	}
	return all
}()

const columns = 8

func read(t Table) ([]Entry, error) {
	data, err := files.ReadFile("tables/" + string(t) + ".tsv")
	if err != nil {
		return nil, fmt.Errorf("reading table of codes: %w", err)
	}
	var rows []Entry
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != columns {
			return nil, fmt.Errorf("reading table of codes: %s.tsv:%d: %d columns, want %d", t, number, len(f), columns)
		}
		e := Entry{Table: t, Code: f[0], Name: f[1], Cause: f[6], Source: f[7]}
		e.Meaning = rules.Text{ZH: f[2], EN: f[3]}
		e.Fix = rules.Text{ZH: f[4], EN: f[5]}
		if t == ModelArts {
			e.Code = "ModelArts." + e.Code
		}
		rows = append(rows, e)
	}
	return rows, nil
}

// All gives the rows of a table.
func All(t Table) []Entry {
	if rows := entries[t]; rows != nil {
		return rows()
	}
	return nil
}

// find gives the rows of a table with a code or a symbolic name, compared
// without case.
func find(t Table, code string) []Entry {
	var found []Entry
	for _, e := range All(t) {
		if strings.EqualFold(e.Code, code) || e.Name != "" && strings.EqualFold(e.Name, code) {
			found = append(found, e)
		}
	}
	return found
}
