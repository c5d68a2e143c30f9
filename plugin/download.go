package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"hcloud-modelarts/plugin/hcloud"
)

// downloadTries is how often a log is asked for. Each try has a new link, since
// a link lives five minutes only, and goes on where the last one stopped.
const downloadTries = 5

// download records the whole log of a task.
func (k *collector) download(id, task string) error {
	if k.link.replay != nil {
		return k.replayLog(task)
	}
	var err error
	for range downloadTries {
		a, e := k.ask(logLinkOf(id, task))
		if e != nil {
			return e
		}
		link, e := logLink(a)
		if e != nil {
			k.c.tell(msgNoDownload, task, k.c.downloadReason(e))
			return nil
		}
		k.c.tell(msgDownloading, task)
		if err = k.fetch(link, task); err == nil {
			return nil
		}
		if k.c.ctx.Err() != nil {
			return errInterrupted
		}
		if caseErr, ok := errors.AsType[*downloadError](err); !ok || !caseErr.again {
			break
		}
	}
	k.c.tell(msgNoDownload, task, k.c.downloadReason(err))
	return nil
}

// replayLog takes the log from the case that is replayed.
func (k *collector) replayLog(task string) error {
	for _, l := range k.link.replay.Logs {
		if l.Task != task {
			continue
		}
		f, err := k.link.replay.FS(nil).Open(l.File)
		if err != nil {
			return err
		}
		defer f.Close()
		return k.rec.AddLog(task, f)
	}
	return nil
}

// downloadError says why a log could not be fetched; again that a new link may
// help.
type downloadError struct {
	reason text
	detail string
	again  bool
}

func (e *downloadError) Error() string { return e.reason.EN + " " + e.detail }

func (c *console) downloadReason(err error) string {
	if e, ok := errors.AsType[*downloadError](err); ok {
		return strings.TrimSpace(c.say(e.reason) + " " + e.detail)
	}
	return c.system(err)
}

// logLink gives the link of an answer.
func logLink(a hcloud.Answer) (*url.URL, error) {
	var body struct {
		ObsURL string `json:"obs_url"`
		Shards struct {
			ObjectURLs []string `json:"object_urls"`
		}
	}
	if a.Class != hcloud.OK || json.Unmarshal(a.Body, &body) != nil {
		return nil, &downloadError{reason: msgNoLink}
	}
	link := body.ObsURL
	if link == "" && len(body.Shards.ObjectURLs) == 1 {
		link = body.Shards.ObjectURLs[0]
	}
	u, err := url.Parse(link)
	switch {
	case link == "" || err != nil:
		return nil, &downloadError{reason: msgNoLink}
	case strings.Contains(u.RawQuery, "<query-"):
		return nil, &downloadError{reason: msgMaskedLink}
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return u, nil
	}
	return nil, &downloadError{reason: msgBadLink}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// fetch gets what the case does not have yet of a log. A link's query is a
// secret and stays out of every message.
func (k *collector) fetch(u *url.URL, task string) error {
	have := k.rec.LogBytes(task)
	req, err := http.NewRequestWithContext(k.c.ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return &downloadError{reason: msgBadLink}
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return &downloadError{reason: msgUnreachable, detail: u.Host, again: !errors.Is(err, context.Canceled)}
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return nil // all of it is there
	case resp.StatusCode == http.StatusOK && have > 0:
		if _, err := io.CopyN(io.Discard, resp.Body, have); err != nil {
			return &downloadError{reason: msgBrokeOff, again: true}
		}
	case resp.StatusCode >= 300:
		return &downloadError{reason: msgLinkRefused, detail: resp.Status, again: resp.StatusCode == http.StatusForbidden || resp.StatusCode >= 500}
	}
	src := &brokenOff{r: resp.Body}
	if err := k.rec.AddLog(task, src); err != nil {
		if src.err != nil {
			return &downloadError{reason: msgBrokeOff, again: true}
		}
		return err
	}
	return nil
}

// brokenOff notes an error of a source, to tell it from one of the case.
type brokenOff struct {
	r   io.Reader
	err error
}

func (b *brokenOff) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}
