// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

func TestTheClusterHasEverySeriesOnceAndSoundHistograms(t *testing.T) {
	for _, tc := range []struct {
		series     []series
		histograms int
		of         string
	}{
		{cluster(), minutes * (6*brokers + 6), "end to end and five phases of each leader and of the cluster"},
		{reviewed(), minutes * (brokers + 6), "end to end of each leader, and of the cluster with five phases"},
	} {
		everySeriesOnce(t, tc.series, tc.histograms, tc.of)
	}
}

func everySeriesOnce(t *testing.T, all []series, want int, of string) {
	t.Helper()
	seen := map[string]bool{}
	histograms := 0
	for _, s := range all {
		if name := s.labels.String(); seen[name] {
			t.Errorf("%s is there twice", name)
		} else {
			seen[name] = true
		}
		for _, h := range s.histograms {
			histograms++
			if err := h.Validate(); err != nil {
				t.Fatalf("%s: %v", s.labels, err)
			}
		}
	}
	if histograms != want {
		t.Errorf("%d histograms, want %d: %s", histograms, want, of)
	}
}

func TestSpansCoverThirtyDaysWithoutGapsOrOverlaps(t *testing.T) {
	now := time.Date(2026, 3, 31, 13, 37, 0, 0, time.UTC)
	for _, all := range [][]span{spans(now), days(now)} {
		for i := 1; i < len(all); i++ {
			if !all[i].from.Equal(all[i-1].to) {
				t.Errorf("span %d begins at %s, the one before ends at %s", i, all[i].from, all[i-1].to)
			}
		}
		if length := all[len(all)-1].to.Sub(all[0].from); length != 30*day {
			t.Errorf("%s in all", length)
		}
	}
}

func TestAStepIsGrafanas(t *testing.T) {
	for _, tc := range []struct {
		look    time.Duration
		columns int
		want    time.Duration
	}{
		{30 * time.Minute, 24, 5 * time.Second},
		{6 * time.Hour, 24, 15 * time.Second},
		{6 * time.Hour, 8, time.Minute},
	} {
		if got := step(tc.look, tc.columns); got != tc.want {
			t.Errorf("%s over %d columns: %s, want %s", tc.look, tc.columns, got, tc.want)
		}
	}
}

func TestTheOverviewsQueriesAreFound(t *testing.T) {
	all, err := queries("../generated/kafka-latency-overview.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Errorf("only %d queries", len(all))
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{nil, {"fill"}, {"ask", ""}, {"fill", t.TempDir()}, {"fill-review", t.TempDir()}} {
		var stderr strings.Builder
		if code := run(context.Background(), args, io.Discard, &stderr); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", args, code, exitUsage)
		}
		if !strings.Contains(stderr.String(), "allowed") {
			t.Errorf("%q: %s", args, stderr.String())
		}
	}
}
