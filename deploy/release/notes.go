// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strings"
)

var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z][0-9A-Za-z.-]*)?$`)

// notesOf are what CHANGELOG.md says of a version; of a candidate (0.2.0-rc.1), of the version that it is to become.
func notesOf(changelog, version string) (string, error) {
	number, _, _ := strings.Cut(version, "-")
	heading := regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(number) + `(,.*)?$`).FindStringIndex(changelog)
	if heading == nil {
		return "", fmt.Errorf("CHANGELOG.md has no heading '## %s'", number)
	}
	notes := changelog[heading[1]:]
	if next := regexp.MustCompile(`(?m)^## `).FindStringIndex(notes); next != nil {
		notes = notes[:next[0]]
	}
	if strings.TrimSpace(notes) == "" {
		return "", fmt.Errorf("CHANGELOG.md says nothing of %s", number)
	}
	return "# Phasewise " + version + "\n\n" + strings.TrimSpace(notes) + "\n", nil
}

// ordered is a version as dpkg and rpm write it: what comes before a release is older than it.
func ordered(version string) string { return strings.Replace(version, "-", "~", 1) }
