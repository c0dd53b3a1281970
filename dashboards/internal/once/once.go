// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package once makes a query say the same when what it reads is there more than once: from a pair of Prometheus servers that write into one store, or from
// a second exporter of a broker in the same job. What a query means otherwise is left to whoever wrote it.
package once

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/parser/posrange"
)

// servers are the labels by which series of a pair of Prometheus servers differ: the operator's, and those of prometheus/remote-write.yml.
const servers = "prometheus, prometheus_replica, replica"

// ofNode is what a broker or controller has once, whoever asks it. The canary's series stay apart by instance: several canaries are added up.
var ofNode = regexp.MustCompile(`^kafka_(broker|client|commit|controller|exporter|log|network|replica|request|server)_`)

// stands in for Grafana's variables, each by as many characters, so that positions are those in the query.
var variables = regexp.MustCompile(`\$\{?(__rate_interval|__interval|__range|percentile)\}?`)

// Of gives the query with its series reduced, where they are added up, counted, averaged, ranked, joined or shown: one for each canary, or for each
// node, and their own labels. It fails on what is no PromQL.
func Of(query string) (string, error) {
	filled := variables.ReplaceAllStringFunc(query, func(variable string) string {
		if strings.Contains(variable, "percentile") {
			return "0." + strings.Repeat("9", len(variable)-2)
		}
		return strings.Repeat("0", len(variable)-2) + "1m"
	})
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(filled)
	if err != nil {
		return "", fmt.Errorf("query %q: %w", query, err)
	}
	var w wrapper
	if w.several(expr) {
		w.reduce(expr)
	}
	return w.write(query), nil
}

// wrapper collects what is to be written before and after parts of the query.
type wrapper struct{ insertions []insertion }

type insertion struct {
	at    posrange.Pos
	text  string
	opens bool
	// width is of the part: where two begin at one place, the wider one is outside.
	width posrange.Pos
}

// several says whether a part may have a series more than once, after all within it has been reduced where it must be.
func (w *wrapper) several(node parser.Expr) bool {
	switch n := node.(type) {
	case *parser.VectorSelector, *parser.MatrixSelector:
		return true
	case *parser.SubqueryExpr:
		return w.several(n.Expr)
	case *parser.ParenExpr:
		return w.several(n.Expr)
	case *parser.UnaryExpr:
		return w.several(n.Expr)
	case *parser.StepInvariantExpr:
		return w.several(n.Expr)
	case *parser.Call:
		found := false
		for _, argument := range n.Args {
			found = w.several(argument) || found
		}
		if found && n.Func.Name == "scalar" {
			w.reduce(n.Args[0])
			return false
		}
		return found
	case *parser.AggregateExpr:
		if n.Without && slices.Contains(n.Grouping, "prometheus_replica") {
			return false
		}
		found := w.several(n.Expr)
		once := slices.Contains([]parser.ItemType{parser.MAX, parser.MIN, parser.GROUP}, n.Op) && !n.Without
		if found && !once {
			w.reduce(n.Expr)
		}
		return false
	case *parser.BinaryExpr:
		return w.joined(n)
	default:
		return false
	}
}

// joined sides have all labels alike, so that the series of each Prometheus find each other; or they are reduced.
func (w *wrapper) joined(n *parser.BinaryExpr) bool {
	left, right := w.several(n.LHS), w.several(n.RHS)
	if n.VectorMatching == nil {
		return left || right
	}
	byAll := !n.VectorMatching.On && len(n.VectorMatching.MatchingLabels) == 0
	if byAll && left && right {
		return true
	}
	if left {
		w.reduce(n.LHS)
	}
	if right {
		w.reduce(n.RHS)
	}
	return false
}

func (w *wrapper) reduce(part parser.Expr) {
	labels := servers
	// avg, as max knows no native histograms; but no average of percentiles is shown, not even of equal ones.
	operator := "avg"
	onlyNodes := true
	parser.Inspect(part, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			onlyNodes = onlyNodes && ofNode.MatchString(n.Name)
			if strings.Contains(n.Name, ":quantile") {
				operator = "max"
			}
		case *parser.Call:
			if n.Func.Name == "histogram_quantile" {
				operator = "max"
			}
		}
		return nil
	})
	if onlyNodes {
		labels = "job, instance, " + servers
	}
	at := part.PositionRange()
	w.insertions = append(w.insertions,
		insertion{at.Start, operator + " without (" + labels + ") (", true, at.End - at.Start},
		insertion{at.End, ")", false, at.End - at.Start})
}

func (w *wrapper) write(query string) string {
	// From the end, so that positions before it stay. At one place: what closes comes before what opens, the narrower inside the wider.
	slices.SortStableFunc(w.insertions, func(a, b insertion) int {
		switch {
		case a.at != b.at:
			return int(b.at - a.at)
		case a.opens != b.opens && a.opens:
			return -1
		case a.opens != b.opens:
			return 1
		case a.opens:
			return int(a.width - b.width)
		default:
			return int(b.width - a.width)
		}
	})
	for _, i := range w.insertions {
		query = query[:i.at] + i.text + query[i.at:]
	}
	return query
}
