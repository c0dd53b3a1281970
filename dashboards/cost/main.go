// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Command cost measures what looking at the latency overview costs a Prometheus that has 30 days of a cluster of 100 brokers: fill
// writes them, ask asks what the dashboard asks. Starting Prometheus in between is left to the reader: docs/benchmarks/dashboards.md.
// fill-review writes 30 days of what the capacity review reads: docs/benchmarks/report.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Exit codes, as everywhere in this repository.
const (
	exitFailed = 1
	exitUsage  = 2
)

const usage = `Usage: go run . fill DIRECTORY          write 30 days of 100 brokers into DIRECTORY, which must not exist, as Prometheus keeps them
       go run . ask URL                 ask the Prometheus at URL what the latency overview asks, and print how long it took
       go run . fill-review DIRECTORY   write what the capacity review reads of 100 brokers, all 30 days of it as fine as the stack scrapes and records it
`

var errUsage = errors.New("allowed: --help, fill DIRECTORY, ask URL, fill-review DIRECTORY")

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := errUsage
	switch {
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		fmt.Fprint(stdout, usage)
		return 0
	case len(args) == 2 && args[0] == "fill" && args[1] != "":
		err = fill(ctx, args[1], spans(time.Now()), cluster(), stdout)
	case len(args) == 2 && args[0] == "fill-review" && args[1] != "":
		err = fill(ctx, args[1], days(time.Now()), reviewed(), stdout)
	case len(args) == 2 && args[0] == "ask" && args[1] != "":
		err = ask(args[1], "../generated/kafka-latency-overview.json", stdout)
	}
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintf(stderr, "cost: unexpected arguments %q; %v\n", args, err)
		return exitUsage
	case err != nil:
		fmt.Fprintf(stderr, "cost: %v\n", err)
		return exitFailed
	}
	return 0
}
