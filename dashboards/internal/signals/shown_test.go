// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	declared = regexp.MustCompile(`(?m)^(?:\t|func |var )([A-Z]\w*)(?: +=|\()`)
	shown    = regexp.MustCompile(`\bsignals\.(\w+)`)
)

// Go does not refuse a variable of a package that nobody reads.
func TestEverySignalIsOnAPage(t *testing.T) {
	read := map[string]bool{}
	for _, found := range matches(t, "../pages/*.go", shown) {
		read[found] = true
	}
	all := matches(t, "*.go", declared)
	require.Greater(t, len(all), 100)
	for _, name := range all {
		assert.True(t, read[name], "%s is a signal that no file of internal/pages shows: put it into a row there", name)
	}
}

func matches(t *testing.T, glob string, pattern *regexp.Regexp) []string {
	t.Helper()
	files, err := filepath.Glob(glob)
	require.NoError(t, err)
	var all []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range pattern.FindAllStringSubmatch(string(text), -1) {
			all = append(all, found[1])
		}
	}
	return all
}
