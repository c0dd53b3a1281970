// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strings"
)

// Rules are written in full, with names for what is filled in: increase(kafka_canary_probes_total[<window>]) > <lost_probes>. Neither PromQL nor the
// templates of alerts nor Grafana's variables look like that.
var placeholder = regexp.MustCompile(`<[a-z][a-z0-9_.]*>`)

// names are values by the names that stand for them.
type names map[string]string

// scope has the names that a text may use. A wrong name is a fault of this program, which has the texts: it panics.
type scope struct {
	outer  *scope
	values names
	used   map[string]bool
}

// with is a scope with more names. Their values may hold names of this one, but not each other's.
func (s *scope) with(values names) *scope {
	inner := &scope{outer: s, values: names{}, used: map[string]bool{}}
	for name, value := range values {
		inner.values[name] = s.fill(value)
	}
	return inner
}

// fill is the text with values in the place of names. It panics where a name has no value.
func (s *scope) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		name := strings.Trim(found, "<>")
		for at := s; at != nil; at = at.outer {
			if value, has := at.values[name]; has {
				at.used[name] = true
				return value
			}
		}
		panic(fmt.Sprintf("%s has no value in: %s", found, text))
	})
}

// mustBeUsed panics where a value of this very scope has not been filled in.
func (s *scope) mustBeUsed(where string) {
	for name := range s.values {
		if !s.used[name] {
			panic(fmt.Sprintf("<%s> has a value and is not used in: %s", name, where))
		}
	}
}

// fill is the text with these values in the place of names. It panics where one has no value, or a value is not used.
func fill(text string, values names) string {
	// Values are not filled in again: a "<" in one begins no name.
	s := &scope{values: values, used: map[string]bool{}}
	filled := s.fill(text)
	s.mustBeUsed(text)
	return filled
}

// variable is a value of an alert's template that a query in its text uses as $name.
type variable struct {
	name string
	// value is the template's expression.
	value string
}

var (
	alertsCluster = variable{name: "cluster", value: "$labels.cluster"}
	alertsProfile = variable{name: "profile", value: "$labels.profile"}
	alertsBroker  = variable{name: "broker", value: "$labels.broker"}
	alertsRole    = variable{name: "role", value: "$labels.role"}
	// Alert texts set it themselves: see alert.ofWhom.
	alertsLeader = variable{name: "leader", value: "$leader"}
)

// asked is the argument of the template's function query that asks this, with the variables filled in. It panics where the query does not use one of them.
func asked(query string, variables ...variable) string {
	// On one line, as it stands within a string there.
	format := escaped(strings.Join(strings.Fields(query), " "))
	arguments := ""
	for i, v := range variables {
		name := regexp.MustCompile(`\$` + v.name + `\b`)
		if !name.MatchString(format) {
			panic(fmt.Sprintf("$%s is not used in: %s", v.name, query))
		}
		format = name.ReplaceAllLiteralString(format, fmt.Sprintf("%%[%d]q", i+1))
		arguments += " " + v.value
	}
	if left := regexp.MustCompile(`\$[a-z]\w*`).FindString(format); left != "" {
		panic(fmt.Sprintf("%s has no value in: %s", left, query))
	}
	return `printf "` + format + `"` + arguments
}
