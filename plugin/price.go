package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

	"hcloud-modelarts/plugin/operations"
)

// priceCmd asks what flavors cost.
type priceCmd struct {
	Args []string `arg:"" optional:""`
}

// Run prints the price of each flavor. --nodes says how many of them.
func (p *priceCmd) Run(c *console) error {
	o, args, rest, err := c.split(p.Args, []string{"nodes"}, nil)
	if err != nil {
		return err
	}
	if o.help {
		return c.deliver("", []byte(c.priceHelp()))
	}
	nodes := 1
	for _, a := range args {
		n, err := strconv.Atoi(a.Value)
		switch {
		case a.Name != "nodes":
			return &usageError{c.say(msgNoSuch, "--"+a.Name)}
		case err != nil || n < 1:
			return &usageError{c.say(msgFlagValue, "--nodes", a.Value, flagForms["nodes"].In(c.lang))}
		}
		nodes = n
	}
	if len(rest) > 0 || len(o.flavors) == 0 {
		return &usageError{c.say(msgPriceUsage)}
	}
	s := &caller{console: c, cat: operations.Default(), opts: o}
	if s.link, err = o.connect(c); err != nil {
		return err
	}
	return s.failed(s.priceTable(c.stdout, o.flavors, nodes))
}

var priceHeading = map[string][]string{
	"zh": {"规格", "单价（每节点每小时）", "节点数", "小时数", "合计", "官网价（每节点每小时）"},
	"en": {"FLAVOR", "UNIT PRICE (NODE AND HOUR)", "NODES", "HOURS", "TOTAL", "LIST PRICE (NODE AND HOUR)"},
}

var errNoPrice = errors.New("no price")

// priceTable writes what flavors cost for nodes and --hours, one hour when that
// is not given.
func (s *caller) priceTable(w io.Writer, flavors []string, nodes int) error {
	prices, err := s.prices(s.ctx, flavors)
	if err != nil {
		return err
	}
	hours := s.opts.hours
	if hours == nil {
		hours = big.NewRat(1, 1)
	}
	if s.opts.format == "json" {
		return s.priceJSON(w, prices, nodes, hours)
	}
	var rows [][]string
	for _, p := range prices {
		official := ""
		if p.Official != nil {
			official = operations.Money(p.Official) + " " + p.Currency
		}
		rows = append(rows, []string{p.Flavor, operations.Money(p.Amount) + " " + p.Currency, strconv.Itoa(nodes), number(hours), operations.Money(p.Total(nodes, hours)) + " " + p.Currency, official})
	}
	_, terminal := s.terminal()
	var b bytes.Buffer
	if err := writeTable(&b, terminal, slices.Clone(priceHeading[s.lang]), rows); err != nil {
		return fmt.Errorf("writing table: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return &wrapped{s.say(msgWriteStdout), err}
	}
	for _, f := range flavors {
		if !slices.ContainsFunc(prices, func(p operations.Price) bool { return p.Flavor == f }) {
			s.notice(s.say(msgFlavorPrice, f))
		}
	}
	return nil
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return operations.Money(r)
}

func (s *caller) priceJSON(w io.Writer, prices []operations.Price, nodes int, hours *big.Rat) error {
	list := []map[string]any{}
	for _, p := range prices {
		row := map[string]any{"flavor": p.Flavor, "unit_price": operations.Money(p.Amount), "currency": p.Currency, "nodes": nodes, "hours": number(hours), "total": operations.Money(p.Total(nodes, hours))}
		if p.Official != nil {
			row["list_price"] = operations.Money(p.Official)
		}
		list = append(list, row)
	}
	if _, err := io.WriteString(w, jsonText(list)); err != nil {
		return &wrapped{s.say(msgWriteStdout), err}
	}
	return nil
}

// prices asks BSS for the hourly price of each flavor.
func (s *caller) prices(ctx context.Context, flavors []string) ([]operations.Price, error) {
	region := s.regionInUse()
	if region == "" {
		return nil, errors.New(s.say(msgRegionNeeded))
	}
	codes, err := s.billingCodes(ctx, flavors)
	if err != nil {
		return nil, err
	}
	project, err := s.project(ctx, region)
	if err != nil {
		return nil, err
	}
	req, err := s.cat.PriceRequest(project, region, codes)
	if err != nil {
		return nil, err
	}
	answer, err := s.send(ctx, req, s.cat.Pricing.Region)
	if err != nil {
		return nil, err
	}
	prices := operations.Prices(answer, flavors)
	if len(prices) == 0 {
		return nil, errNoPrice
	}
	return prices, nil
}

// billingCodes are those of public flavors; what is not a public flavor may be a
// billing code itself.
func (s *caller) billingCodes(ctx context.Context, flavors []string) ([]string, error) {
	req, _ := s.cat.Find(s.cat.Pricing.Flavors).Build(nil, nil)
	answer, err := s.call(ctx, req)
	if err != nil {
		return nil, err
	}
	list, _ := operations.Search("flavors", answer).([]any)
	codes := slices.Clone(flavors)
	for i, f := range flavors {
		for _, item := range list {
			if id, _ := operations.Search("flavor_id", item).(string); id != f {
				continue
			}
			if code, ok := operations.Search("billing.code", item).(string); ok && code != "" {
				codes[i] = code
			}
		}
	}
	return codes, nil
}

// project is the id of the region's project.
func (s *caller) project(ctx context.Context, region string) (string, error) {
	if s.opts.ProjectID != "" {
		return s.opts.ProjectID, nil
	}
	req, _ := s.cat.Find(s.cat.Pricing.Projects).Build(nil, nil)
	answer, err := s.send(ctx, req, region)
	if err != nil {
		return "", err
	}
	list, _ := operations.Search("projects", answer).([]any)
	for _, p := range list {
		if name, _ := operations.Search("name", p).(string); name == region {
			id, _ := operations.Search("id", p).(string)
			return id, nil
		}
	}
	return "", errors.New(s.say(msgNoProjectOf, region))
}
