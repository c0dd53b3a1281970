// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/rules"
)

func TestWhatTheRulesReadIsPlayed(t *testing.T) {
	for _, form := range []string{"native", "classic"} {
		p := plan{clusters: 2, brokers: 3, kinds: 3, form: form, schema: canarySchema, rules: "../rules"}
		files, err := ruleFiles(p)
		if err != nil {
			t.Fatal(err)
		}
		groups, err := load(files, &rules.ManagerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkPlayed(newStage(p), groups); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}

func TestAHistogramHoldsEveryProbeAtEitherResolution(t *testing.T) {
	s := newStage(plan{clusters: 1, brokers: 3, kinds: 3})
	s.goOn(10 * time.Second)
	for _, schema := range []int{canarySchema, 4} {
		h, err := s.latency[0].native(schema)
		if err != nil {
			t.Fatal(err)
		}
		if h.Count != 10*probesPerSecond || int(h.Schema) != schema {
			t.Errorf("%d probes at schema %d, want %d at %d", h.Count, h.Schema, 10*probesPerSecond, schema)
		}
	}
}

func TestBadArgumentsAreRefusedAllAtOnce(t *testing.T) {
	args := []string{"--clusters", "0", "--kinds", "2", "--brokers", "2", "--minutes", "0", "--histograms", "both", "--schema", "7", "more"}
	err := run(context.Background(), args, io.Discard)
	if !errors.Is(err, errUsage) {
		t.Fatalf("run: %v", err)
	}
	for _, part := range []string{"--clusters is 0", "--kinds is 2", "--brokers is 2", "--minutes is 0", `--histograms is "both"`, "--schema is 7", `"more" is too much`} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message does not say %s: %v", part, err)
		}
	}
}
