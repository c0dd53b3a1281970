// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inRange says whether a version is in one of a list of Maven's ranges: "(,2.0],[2.1,2.3)", "[1.0]".
func inRange(version, ranges string) (bool, error) {
	rest := strings.ReplaceAll(ranges, " ", "")
	if rest == "" {
		return false, fmt.Errorf("no range")
	}
	found := false
	for rest != "" {
		parts := interval.FindStringSubmatch(rest)
		if parts == nil {
			return false, fmt.Errorf("not a range of Maven: %q", ranges)
		}
		found = found || within(version, parts)
		rest = strings.TrimPrefix(rest[len(parts[0]):], ",")
	}
	return found, nil
}

// The opening bracket, the lower bound, the comma, the upper bound, the closing bracket.
var interval = regexp.MustCompile(`^([\[(])([^\[\](),]*)(,?)([^\[\](),]*)([\])])`)

func within(version string, parts []string) bool {
	opening, lower, comma, upper, closing := parts[1], parts[2], parts[3], parts[4], parts[5]
	if comma == "" {
		return compare(version, lower) == 0
	}
	if lower != "" {
		if c := compare(version, lower); c < 0 || c == 0 && opening == "(" {
			return false
		}
	}
	if upper != "" {
		if c := compare(version, upper); c > 0 || c == 0 && closing == ")" {
			return false
		}
	}
	return true
}

// compare orders versions as Maven does: numbers by value, then alpha, beta, milestone, rc, snapshot, the release itself, sp, any other word.
// Negative where a is older. The finer points of Maven's order, of lists within lists, are left out.
func compare(a, b string) int {
	left, right := tokens(a), tokens(b)
	for i := range max(len(left), len(right)) {
		if c := compareTokens(at(left, i), at(right, i)); c != 0 {
			return c
		}
	}
	return 0
}

var token = regexp.MustCompile(`[0-9]+|[a-z]+`)

func tokens(version string) []string { return token.FindAllString(strings.ToLower(version), -1) }

func at(tokens []string, index int) string {
	if index < len(tokens) {
		return tokens[index]
	}
	return ""
}

var words = [][]string{{"alpha", "a"}, {"beta", "b"}, {"milestone", "m"}, {"rc", "cr"}, {"snapshot"}, {"", "0", "ga", "final", "release"}, {"sp"}}

// rank of a word; numbers come after all words, but 0 is as good as nothing.
func rank(token string) int {
	for i, same := range words {
		if slices.Contains(same, token) {
			return i
		}
	}
	if _, err := strconv.Atoi(token); err == nil {
		return len(words) + 1
	}
	return len(words)
}

func compareTokens(a, b string) int {
	if c := rank(a) - rank(b); c != 0 {
		return c
	}
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return x - y
	case rank(a) == len(words):
		return strings.Compare(a, b)
	default:
		return 0
	}
}
