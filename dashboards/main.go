// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Command dashboards writes every dashboard as JSON into generated/, from where Grafana is provisioned, and the pages of
// docs/reference on dashboards and rules. Run it in this directory: go run .
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"phasewise.io/dashboards/internal/pages"
	"phasewise.io/dashboards/internal/reference"
)

// Exit codes, as everywhere in this repository.
const (
	exitFailed = 1
	exitUsage  = 2
)

const repository = ".."

const usage = `Usage: go run . [--help] [DIRECTORY]

Writes every dashboard as JSON into DIRECTORY (default: generated). Without DIRECTORY also the pages of ../docs/reference on dashboards, alerts
and recorded series.
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	directory := "generated"
	switch {
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		fmt.Fprint(stdout, usage)
		return 0
	case len(args) == 1 && args[0] != "" && args[0][0] != '-':
		directory = args[0]
	case len(args) > 0:
		fmt.Fprintf(stderr, "dashboards: unexpected arguments %q; allowed: --help, or one directory\n", args)
		return exitUsage
	}
	if err := generate(directory); err != nil {
		fmt.Fprintf(stderr, "dashboards: %v\n", err)
		return exitFailed
	}
	if len(args) == 0 {
		if err := writeReference(); err != nil {
			fmt.Fprintf(stderr, "dashboards: %v\n", err)
			return exitFailed
		}
	}
	return 0
}

func writeReference() error {
	all, err := reference.Pages(repository, pages.All())
	if err != nil {
		return err
	}
	return reference.Write(repository, all)
}

func generate(directory string) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	for name, d := range pages.All() {
		rendered, err := d.JSON()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, name), rendered, 0o644); err != nil {
			return err
		}
	}
	return nil
}
