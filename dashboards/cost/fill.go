// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// The last hours are as fine as the stack records them. What is older is coarser, to be written in minutes: of it the overview reads
// one moment of yesterday, but it is in the index and on the disk.
const (
	recent      = 8 * time.Hour
	old         = 30*24*time.Hour - recent
	recentStep  = 5 * time.Second
	oldStep     = 4 * time.Minute
	recentBlock = 2 * time.Hour
	oldBlock    = 24 * time.Hour
)

// span is what one block holds.
type span struct {
	from, to time.Time
	step     time.Duration
}

// spans cover 30 days up to the end, oldest first, cut as Prometheus cuts its blocks.
func spans(end time.Time) []span {
	var all []span
	end = end.Truncate(recentBlock)
	add := func(from, to time.Time, block, step time.Duration) {
		for at := from; at.Before(to); at = at.Add(block) {
			until := at.Add(block)
			if until.After(to) {
				until = to
			}
			all = append(all, span{at, until, step})
		}
	}
	add(end.Add(-recent-old), end.Add(-recent), oldBlock, oldStep)
	add(end.Add(-recent), end, recentBlock, recentStep)
	return all
}

// fill writes blocks. It refuses a directory that is there already: its data would be mixed with what is in it.
func fill(ctx context.Context, directory string, all []span, series []series, progress io.Writer) error {
	if _, err := os.Stat(directory); err == nil {
		return fmt.Errorf("%s exists: %w", directory, errUsage)
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	for _, s := range all {
		samples, err := write(ctx, directory, s, series)
		if err != nil {
			return err
		}
		fmt.Fprintf(progress, "%s to %s, every %s: %d samples of %d series\n",
			s.from.UTC().Format(time.DateTime), s.to.UTC().Format(time.DateTime), s.step, samples, len(series))
	}
	return nil
}

// write makes one block and says how many samples it holds.
func write(ctx context.Context, directory string, s span, all []series) (samples int, err error) {
	writer, err := tsdb.NewBlockWriter(slog.New(slog.DiscardHandler), directory, s.to.Sub(s.from).Milliseconds())
	if err != nil {
		return 0, err
	}
	defer writer.Close()
	refs := make([]storage.SeriesRef, len(all))
	for at := s.from; at.Before(s.to); at = at.Add(s.step) {
		appender := writer.Appender(ctx)
		for i, one := range all {
			if at.Unix()%int64(one.every.Seconds()) >= int64(s.step.Seconds()) {
				continue
			}
			if one.histograms != nil {
				refs[i], err = appender.AppendHistogram(refs[i], one.labels, at.UnixMilli(), nil, one.histograms[pick(i, at, len(one.histograms))])
			} else {
				refs[i], err = appender.Append(refs[i], one.labels, at.UnixMilli(), one.value(i, at))
			}
			if err != nil {
				return 0, fmt.Errorf("%s: %w", one.labels, err)
			}
			samples++
		}
		if err := appender.Commit(); err != nil {
			return 0, err
		}
	}
	_, err = writer.Flush(ctx)
	return samples, err
}

// pick is a number below n that looks drawn by chance and is the same each time.
func pick(i int, at time.Time, n int) int {
	x := uint64(at.Unix())*0x9E3779B97F4A7C15 + uint64(i)*0xBF58476D1CE4E5B9
	x ^= x >> 31
	x *= 0x94D049BB133111EB
	x ^= x >> 29
	return int(x % uint64(n))
}
