// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"phasewise.io/dashboards/internal/lint"
)

// rule is one of prometheus/rules, with the interval of its group. That the file is one of Prometheus is promtool's to say.
type rule struct {
	Record, Alert, Expr string
	For                 model.Duration
	Labels, Annotations map[string]string
	interval            model.Duration
	parsed              parser.Expr
}

// ruleSet is all that a Prometheus with native histograms loads.
type ruleSet struct {
	rules    []rule
	recorded map[string][]rule
	// exporters' are the metrics that exist only where a broker's exporter is scraped.
	exporters map[string]bool
}

var (
	named = regexp.MustCompile("(?m)^\\| `([a-z][a-z0-9_]+)` \\|")
	// Metrics of the canary that count only where exporters answer it.
	ofMarks = []string{"kafka_canary_agent_reachable", "kafka_canary_misestimated_probes_total", "kafka_canary_phase_estimate_error_seconds",
		"kafka_canary_suspect_seconds", "kafka_canary_unmarked_probes_total"}
	// The jobs of targets that are exporters.
	exporterJob = regexp.MustCompile(`^kafka-(broker|controller)`)
)

func readRules(repository string) (*ruleSet, error) {
	set := &ruleSet{recorded: map[string][]rule{}, exporters: map[string]bool{}}
	for _, metric := range ofMarks {
		set.exporters[metric] = true
	}
	for _, page := range []string{"broker-metrics.md", "client-metrics.md"} {
		content, err := os.ReadFile(File(repository, page))
		if err != nil {
			return nil, err
		}
		for _, metric := range named.FindAllStringSubmatch(string(content), -1) {
			set.exporters[metric[1]] = true
		}
	}
	promql := parser.NewParser(parser.Options{})
	for _, glob := range []string{"prometheus/rules/*.yml", "prometheus/rules/native/*.yml"} {
		files, err := filepath.Glob(filepath.Join(repository, glob))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("%s: no rules: %w", glob, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			var read struct {
				Groups []struct {
					Interval model.Duration
					Rules    []rule
				}
			}
			if err := yaml.Unmarshal(content, &read); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for _, group := range read.Groups {
				for _, r := range group.Rules {
					r.interval = group.Interval
					if r.parsed, err = promql.ParseExpr(r.Expr); err != nil {
						return nil, fmt.Errorf("%s: %s%s: %w", file, r.Record, r.Alert, err)
					}
					set.rules = append(set.rules, r)
					if r.Record != "" {
						set.recorded[r.Record] = append(set.recorded[r.Record], r)
					}
				}
			}
		}
	}
	return set, nil
}

// reads says whether an expression reads an exporter's metric, through recorded series too.
func (s *ruleSet) reads(expr parser.Expr, seen map[string]bool) bool {
	found := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if selector, is := node.(*parser.VectorSelector); is && !found {
			found = s.isExporters(selector)
			name := lint.MetricName(selector)
			if !seen[name] {
				seen[name] = true
				for _, r := range s.matching(selector) {
					found = found || s.reads(r.parsed, seen)
				}
			}
		}
		return nil
	})
	return found
}

// survives says whether an expression can give something where there is no exporter at all. A rule within itself is no source of anything.
func (s *ruleSet) survives(expr parser.Expr, within ...string) bool {
	switch e := expr.(type) {
	case *parser.VectorSelector:
		rules := s.matching(e)
		if len(rules) == 0 {
			return !s.isExporters(e)
		}
		for _, r := range rules {
			if !slices.Contains(within, r.Expr) && s.survives(r.parsed, append(within, r.Expr)...) {
				return true
			}
		}
		return false
	case *parser.BinaryExpr:
		switch e.Op {
		case parser.LOR:
			return s.survives(e.LHS, within...) || s.survives(e.RHS, within...)
		case parser.LUNLESS:
			return s.survives(e.LHS, within...)
		}
	case *parser.Call:
		if strings.HasPrefix(e.Func.Name, "absent") {
			return true
		}
	}
	// Anything else gives something only where all of its parts do.
	for part := range parser.ChildrenIter(expr) {
		if part, is := part.(parser.Expr); is && !s.survives(part, within...) {
			return false
		}
	}
	return true
}

// matching are the rules that record what a selector reads.
func (s *ruleSet) matching(selector *parser.VectorSelector) []rule {
	var all []rule
	for _, r := range s.recorded[lint.MetricName(selector)] {
		fits := true
		for _, matcher := range selector.LabelMatchers {
			if value, fixed := r.Labels[matcher.Name]; fixed {
				fits = fits && matcher.Matches(value)
			}
		}
		if fits {
			all = append(all, r)
		}
	}
	return all
}

func (s *ruleSet) isExporters(selector *parser.VectorSelector) bool {
	name := lint.MetricName(selector)
	for _, suffix := range []string{"", "_sum", "_count", "_bucket"} {
		if base, has := strings.CutSuffix(name, suffix); has && s.exporters[base] {
			return true
		}
	}
	for _, matcher := range selector.LabelMatchers {
		if name == "up" && matcher.Name == "job" && exporterJob.MatchString(matcher.Value) {
			return true
		}
	}
	return false
}
