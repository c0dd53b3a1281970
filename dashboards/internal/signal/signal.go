// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package signal holds the smallest room of a dashboard: one thing worth looking at, with the query that measures it, its
// unit, and the words that tell an on-call engineer how to read it and what to do. How it is drawn is left to package board.
package signal

import (
	"fmt"
	"strings"
)

// Unit is how Grafana formats a value.
type Unit string

// The units in use. Base units only: seconds and bytes, ratios from 0 to 1.
const (
	Seconds        Unit = "s"
	Ratio          Unit = "percentunit"
	Count          Unit = "none"
	Multiple       Unit = "suffix:x"
	ProbesPerSec   Unit = "suffix: probes/s"
	RequestsPerSec Unit = "reqps"
	PerSec         Unit = "suffix:/s"
	Bytes          Unit = "bytes"
	BytesPerSec    Unit = "Bps"
)

// Range is from the least to the greatest value that is believable on a cluster that works.
type Range struct{ Low, High float64 }

// The range of a unit, where a signal does not say better.
var plausible = map[Unit]Range{
	Seconds:        {0, 60},
	Ratio:          {0, 1},
	Count:          {0, 1e6},
	Multiple:       {0, 1e5},
	ProbesPerSec:   {0, 1e6},
	RequestsPerSec: {0, 1e7},
	PerSec:         {0, 1e7},
	Bytes:          {0, 1e15},
	BytesPerSec:    {0, 1e11},
}

// Signal is one query and everything that has to be known to read its result.
type Signal struct {
	// Name is a panel's title, or a series' name where several signals share a panel.
	Name string
	// Query is PromQL; dashboard variables ($cluster, $profile, $leader, $percentile) and Grafana's own may occur in it.
	Query string
	// Unit of the query's result.
	Unit Unit
	// Legend names one series, with {{label}} for a label's value. Empty: Name.
	Legend string
	// Read says what is shown and how to read it.
	Read string
	// Do says what to look at or to change when it is not as it should be.
	Do string
	// Plausible, where it is set, is used in place of the unit's range.
	Plausible Range
	// Every is how far apart its points have to be, as a Grafana duration, where it is scraped less often than the brokers are: twice the
	// scrape interval, so that $__rate_interval holds two samples in every version of Grafana (9.4 takes this and one interval of the
	// data source).
	Every string
	// Exemplars asks for single observations beside the query's result, as points that can be clicked. Only what the query's own selectors
	// name has any: recorded series have none.
	Exemplars bool
	// MayBeEmpty says why a cluster that works may give nothing. Empty: it always gives something.
	MayBeEmpty string
}

// LegendOrName is what to call a series of this signal.
func (s Signal) LegendOrName() string {
	if s.Legend == "" {
		return s.Name
	}
	return s.Legend
}

// Description is how to read it, and what to do.
func (s Signal) Description() string { return s.Read + " " + s.Do }

// Range is from the least to the greatest believable value.
func (s Signal) Range() Range {
	if s.Plausible != (Range{}) {
		return s.Plausible
	}
	return plausible[s.Unit]
}

// Named is the same signal with a legend.
func (s Signal) Named(legend string) Signal {
	s.Legend = legend
	return s
}

// Within is the same signal with a range of its own.
func (s Signal) Within(low, high float64) Signal {
	s.Plausible = Range{low, high}
	return s
}

// OrEmpty is the same signal with a reason why it may give nothing.
func (s Signal) OrEmpty(reason string) Signal {
	s.MayBeEmpty = reason
	return s
}

// WithExemplars is the same signal with single observations.
func (s Signal) WithExemplars() Signal {
	s.Exemplars = true
	return s
}

// Times is the same signal as plain figures in another unit, which its name then states.
func (s Signal) Times(factor float64, unit string) Signal {
	within := s.Range()
	s.Name += ", " + unit
	s.Query = fmt.Sprintf("%g * (%s)", factor, s.Query)
	s.Unit = Count
	s.Plausible = Range{within.Low * factor, within.High * factor}
	return s
}

// Validate reports the first thing that is missing. A signal that nobody can read is refused when the dashboard is built.
func (s Signal) Validate() error {
	for _, field := range []struct{ name, value string }{
		{"name", s.Name}, {"query", s.Query}, {"unit", string(s.Unit)}, {"how to read it", s.Read}, {"what to do", s.Do},
	} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("signal %q: %s is empty", s.Name, field.name)
		}
	}
	return nil
}
