// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Package signal holds the smallest room of a dashboard: one thing worth looking at, with the query that measures it, its
// unit, and the words that tell an on-call engineer how to read it. How it is drawn is left to package board.
package signal

import (
	"fmt"
	"strings"
)

// Unit is how Grafana formats a value.
type Unit string

// The units in use. Base units only: seconds and bytes, ratios from 0 to 1.
const (
	Seconds      Unit = "s"
	Ratio        Unit = "percentunit"
	Count        Unit = "none"
	Multiple     Unit = "suffix:x"
	ProbesPerSec Unit = "suffix: probes/s"
)

// Signal is one query and everything that has to be known to read its result.
type Signal struct {
	// Name is a panel's title, or a series' name where several signals share a panel.
	Name string
	// Query is PromQL; dashboard variables ($cluster, $profile, $leader) and $__rate_interval may occur in it.
	Query string
	// Unit of the query's result.
	Unit Unit
	// Legend names one series, with {{label}} for a label's value. Empty: Name.
	Legend string
	// Description says what is shown, how to read it and what to look at next.
	Description string
}

// LegendOrName is what to call a series of this signal.
func (s Signal) LegendOrName() string {
	if s.Legend == "" {
		return s.Name
	}
	return s.Legend
}

// Validate reports the first thing that is missing. A signal that nobody can read is refused when the dashboard is built.
func (s Signal) Validate() error {
	for _, field := range []struct{ name, value string }{
		{"name", s.Name}, {"query", s.Query}, {"unit", string(s.Unit)}, {"description", s.Description},
	} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("signal %q: %s is empty", s.Name, field.name)
		}
	}
	return nil
}
