// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/tsdb"
)

// group is how much processor time one rule group took, at each of its evaluations.
type group struct {
	*rules.Group
	took []time.Duration
}

// result is what was measured, how many buckets the histograms had at the end, on average, and how large the head was then.
type result struct {
	groups  []*group
	buckets int
	played  int
	// Of the head: what is played, what the rules record, and the history.
	series uint64
	// What lives of the heap.
	heap uint64
}

// measure plays, and evaluates each group as often as it asks for. Garbage collection counts to the group in which it falls.
func measure(ctx context.Context, p plan, home string, files []string) (*result, error) {
	options := tsdb.DefaultOptions()
	options.RetentionDuration = (31 * 24 * time.Hour).Milliseconds()
	silent := slog.New(slog.DiscardHandler)
	db, err := tsdb.Open(home, silent, nil, options, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	// Everything stays in memory, as the last hours do; the history would, too, if it were cut to blocks: it is read from the page cache.
	db.DisableCompactions()
	// The timeout is far off: on a busy machine an evaluation waits for a processor, which is not what is measured.
	engine := promql.NewEngine(promql.EngineOpts{
		Logger: silent, MaxSamples: 50_000_000, Timeout: time.Hour, LookbackDelta: 5 * time.Minute,
		EnableAtModifier: true, EnableNegativeOffset: true,
		NoStepSubqueryIntervalFn: func(int64) int64 { return scrapeInterval.Milliseconds() },
	})
	groups, err := load(files, &rules.ManagerOptions{
		ExternalURL: &url.URL{}, QueryFunc: rules.EngineQueryFunc(engine, db), Appendable: db, Queryable: db, Context: ctx, Logger: silent,
		NotifyFunc: func(context.Context, string, ...*rules.Alert) {}, ResendDelay: time.Minute,
	})
	if err != nil {
		return nil, err
	}
	r, err := play(ctx, p, db, groups)
	if err != nil {
		return nil, err
	}
	// What played is gone; the head has labels of its own.
	r.heap, r.series = liveHeap(), db.Head().NumSeries()
	return r, nil
}

func play(ctx context.Context, p plan, db *tsdb.DB, groups []*group) (*result, error) {
	stage := newStage(p)
	if err := checkPlayed(stage, groups); err != nil {
		return nil, err
	}
	// So that every interval of the rules divides it.
	start := time.Now().Truncate(time.Hour)
	if err := stage.history(ctx, db, start); err != nil {
		return nil, err
	}
	measured := start.Add(fill)
	for at := start; at.Before(measured.Add(time.Duration(p.minutes) * time.Minute)); at = at.Add(scrapeInterval) {
		stage.goOn(scrapeInterval)
		if err := stage.scrape(ctx, db, at); err != nil {
			return nil, err
		}
		for _, g := range groups {
			if at.Unix()%int64(g.Interval().Seconds()) != 0 {
				continue
			}
			before := processorTime()
			g.Eval(ctx, at)
			if !at.Before(measured) {
				g.took = append(g.took, processorTime()-before)
			}
			for _, r := range g.Rules() {
				if err := r.LastError(); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", g.Name(), r.Name(), err)
				}
			}
		}
	}
	return &result{groups: groups, buckets: stage.buckets(), played: stage.count()}, nil
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// load reads the rules, groups by name.
func load(files []string, options *rules.ManagerOptions) ([]*group, error) {
	loaded, errs := rules.NewManager(options).LoadGroups(scrapeInterval, labels.EmptyLabels(), "", nil, false, files...)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var groups []*group
	for _, g := range loaded {
		groups = append(groups, &group{Group: g})
	}
	slices.SortFunc(groups, func(a, b *group) int { return strings.Compare(a.Name(), b.Name()) })
	return groups, nil
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Rules about what is not played here cost nothing, as for a cluster that does not have it.
var notPlayed = []string{
	"kafka_canary_clock_uncertainty_seconds",
	"kafka_canary_paused",
	"kafka_server_brokertopicmetrics_remotecopylagbytes",
	"kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent",
	"prometheus_rule_evaluation_failures_total",
	"prometheus_rule_group_last_duration_seconds",
	"prometheus_rule_group_interval_seconds",
	"prometheus_rule_group_iterations_missed_total",
	"ALERTS",
	"up",
}

// checkPlayed refuses rules that read what nobody plays: they would look cheap.
func checkPlayed(s *stage, groups []*group) error {
	known := slices.Concat(s.names(), notPlayed)
	for _, g := range groups {
		for _, r := range g.Rules() {
			known = append(known, r.Name())
		}
	}
	for _, g := range groups {
		for _, r := range g.Rules() {
			var unknown error
			parser.Inspect(r.Query(), func(node parser.Node, _ []parser.Node) error {
				if selector, is := node.(*parser.VectorSelector); is && selector.Name != "" && !slices.Contains(known, selector.Name) {
					unknown = fmt.Errorf("%s: %s reads %s, which is not played", g.Name(), r.Name(), selector.Name)
				}
				return nil
			})
			if unknown != nil {
				return unknown
			}
		}
	}
	return nil
}

func report(out io.Writer, p plan, r *result) error {
	what := p.form
	if p.form == "native" {
		what = fmt.Sprintf("native (schema %d)", p.schema)
	}
	fmt.Fprintf(out, "%d brokers in each of %d clusters, %s histograms, of %d buckets on average, %d minutes; processor time in ms\n\n",
		p.brokers, p.clusters, what, r.buckets, p.minutes)
	fmt.Fprintln(out, "| group | rules | every | shortest | median | longest | a minute |\n|---|---|---|---|---|---|---|")
	count, minute := 0, time.Duration(0)
	for _, g := range r.groups {
		slices.Sort(g.took)
		var sum time.Duration
		for _, each := range g.took {
			sum += each
		}
		count += len(g.Rules())
		minute += sum / time.Duration(p.minutes)
		fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %s | %s |\n", g.Name(), len(g.Rules()), g.Interval(),
			ms(g.took[0]), ms(g.took[len(g.took)/2]), ms(g.took[len(g.took)-1]), ms(sum/time.Duration(p.minutes)))
	}
	fmt.Fprintf(out, "\n%d rules, %s ms a minute: %.1f %% of a core\n", count, ms(minute), 100*minute.Minutes())
	_, err := fmt.Fprintf(out, "%d series played, %d in the head with what is recorded; %d MiB of live heap, %d bytes a series\n",
		r.played, r.series, r.heap>>20, r.heap/r.series)
	return err
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
