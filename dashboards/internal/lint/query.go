// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package lint says what a query must not do and which metrics it may use. It reads PromQL with Prometheus's own parser and
// serves the tests and the reference; running the queries against a live Prometheus is left to the acceptance tests.
package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Query is a dashboard's query, parsed.
type Query struct {
	expr parser.Expr
}

// Parse reads a query as Grafana sends it, once its variables have been filled in with stand-ins.
func Parse(query string) (Query, error) {
	filled := strings.NewReplacer("$percentile", "0.99", "$__rate_interval", "1m", "$__interval", "1m", "$__range", "1h").Replace(query)
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(filled)
	if err != nil {
		return Query{}, fmt.Errorf("query %q: %w", query, err)
	}
	return Query{expr}, nil
}

// Metrics lists the metric names that the query reads, each once, in order. A selector without a name gives an empty one.
func (q Query) Metrics() []string {
	var names []string
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			names = append(names, MetricName(selector))
		}
		return nil
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// KeepsFew says whether the query gives no more than so many series, whatever there is: the highest or the lowest.
func (q Query) KeepsFew(most float64) bool {
	keeps := false
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		if n, ok := node.(*parser.AggregateExpr); ok && (n.Op == parser.TOPK || n.Op == parser.BOTTOMK) {
			number, ok := n.Param.(*parser.NumberLiteral)
			keeps = keeps || ok && number.Val <= most
		}
		return nil
	})
	return keeps
}

// IsPercentile says whether the query's result is built from percentiles.
func (q Query) IsPercentile() bool { return yieldsPercentile(q.expr) }

// Misuse reports arithmetic that percentiles do not survive: an average or a sum of percentiles is no percentile of anything.
// The largest and the smallest are (of the worst and the best series), and so is the one in the middle: max, min, topk, bottomk and
// quantile over series are fine.
func (q Query) Misuse() error {
	var found error
	parser.Inspect(q.expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.AggregateExpr:
			if !keepsOneSeries(n.Op) && yieldsPercentile(n.Expr) {
				found = fmt.Errorf("%s of percentiles: %s", n.Op, n)
			}
		case *parser.Call:
			if isMixOverTime(n.Func.Name) && yieldsPercentile(n.Args[len(n.Args)-1]) {
				found = fmt.Errorf("%s of percentiles: %s", n.Func.Name, n)
			}
		case *parser.BinaryExpr:
			if n.Op == parser.ADD && yieldsPercentile(n.LHS) && yieldsPercentile(n.RHS) {
				found = fmt.Errorf("sum of percentiles: %s", n)
			}
		}
		return nil
	})
	return found
}

func keepsOneSeries(op parser.ItemType) bool {
	return slices.Contains([]parser.ItemType{
		parser.MAX, parser.MIN, parser.TOPK, parser.BOTTOMK, parser.QUANTILE, parser.COUNT, parser.GROUP,
	}, op)
}

func isMixOverTime(function string) bool {
	return slices.Contains([]string{
		"avg_over_time", "sum_over_time", "stddev_over_time", "stdvar_over_time", "quantile_over_time",
		"rate", "irate", "increase",
	}, function)
}

// yieldsPercentile looks for a percentile anywhere below: computed here, recorded by a rule, or made by a summary. The median of means,
// over series or over time, is no percentile of what they are means of: it is the usual level, which adds up as they do.
func yieldsPercentile(expr parser.Node) bool {
	yields := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.Call:
			yields = yields || n.Func.Name == "histogram_quantile"
		case *parser.VectorSelector:
			yields = yields || strings.Contains(MetricName(n), ":quantile") ||
				slices.ContainsFunc(n.LabelMatchers, func(m *labels.Matcher) bool { return m.Name == "quantile" })
		}
		return nil
	})
	return yields
}

// MetricName is what a selector reads; empty where it has no name.
func MetricName(selector *parser.VectorSelector) string {
	if selector.Name != "" {
		return selector.Name
	}
	for _, matcher := range selector.LabelMatchers {
		if matcher.Name == labels.MetricName && matcher.Type == labels.MatchEqual {
			return matcher.Value
		}
	}
	return ""
}
