// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Grafana's own linter brings a log database's modules with it, so it is not a dependency: it runs where it is installed.
const linter = "dashboard-linter"

func TestGrafanasLinterHasNothingToSay(t *testing.T) {
	command, err := exec.LookPath(linter)
	if err != nil {
		t.Skipf("%s is not on PATH; to get it: go install github.com/grafana/dashboard-linter@latest", linter)
	}
	files, err := filepath.Glob("generated/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("generated/ holds no dashboard (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			output, err := exec.Command(command, "lint", "--strict", "--config", "linter.yml", file).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}
