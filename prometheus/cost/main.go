// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Command cost measures what the rules cost: it plays what a canary and the exporters of many brokers say, second by second but without waiting, evaluates
// the rules with Prometheus's own storage, engine and rule groups, and says how much processor time each group takes. Run it here: go run . --brokers 100
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

var errUsage = errors.New("bad arguments")

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(exitUsage)
	case err != nil:
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(exitFailed)
	}
}

// plan is what is measured.
type plan struct {
	clusters int
	// Of each cluster.
	brokers int
	kinds   int
	minutes int
	form    string
	schema  int
	rules   string
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	p, err := arguments(args)
	if err != nil {
		return err
	}
	// As Prometheus sets it.
	debug.SetGCPercent(75)
	home, err := os.MkdirTemp("", "phasewise-cost")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	files, err := ruleFiles(p)
	if err != nil {
		return err
	}
	result, err := measure(ctx, p, home, files)
	if err != nil {
		return err
	}
	return report(out, p, result)
}

func arguments(args []string) (plan, error) {
	var p plan
	flags := flag.NewFlagSet("cost", flag.ContinueOnError)
	flags.IntVar(&p.clusters, "clusters", 1, "how many clusters, 1 or more")
	flags.IntVar(&p.brokers, "brokers", 100, "how many brokers each cluster has, 3 or more")
	flags.IntVar(&p.kinds, "kinds", 80, "how many kinds of request a broker's beans tell apart, 3 or more: 80 under the stock exporter, 3 under Phasewise's")
	flags.IntVar(&p.minutes, "minutes", 8, "how many minutes are measured, 4 or more, once the windows of five minutes are full")
	flags.StringVar(&p.form, "histograms", "native", "native, or classic as for an older Prometheus")
	flags.IntVar(&p.schema, "schema", 6, "resolution of native histograms, 0 to 6: the canary's 6, or what native_histogram_min_bucket_factor leaves of it (1.04: 4)")
	flags.StringVar(&p.rules, "rules", "../rules", "directory of the rules")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return p, err
		}
		return p, fmt.Errorf("%w: %w", errUsage, err)
	}
	var all []error
	refuse := func(format string, values ...any) { all = append(all, fmt.Errorf(format, values...)) }
	if p.clusters < 1 {
		refuse("--clusters is %d; allowed: 1 or more", p.clusters)
	}
	if p.kinds < len(kindsRead) {
		refuse("--kinds is %d; allowed: %d or more", p.kinds, len(kindsRead))
	}
	if p.brokers < 3 {
		refuse("--brokers is %d; allowed: 3 or more", p.brokers)
	}
	if p.minutes < 4 {
		refuse("--minutes is %d; allowed: 4 or more", p.minutes)
	}
	if p.form != "native" && p.form != "classic" {
		refuse("--histograms is %q; allowed: native, classic", p.form)
	}
	if p.schema < 0 || p.schema > canarySchema {
		refuse("--schema is %d; allowed: 0 to %d", p.schema, canarySchema)
	}
	if flags.NArg() > 0 {
		refuse("%q is too much; allowed: options only", flags.Arg(0))
	}
	if len(all) > 0 {
		return p, fmt.Errorf("%w: %w", errUsage, errors.Join(all...))
	}
	return p, nil
}

func ruleFiles(p plan) ([]string, error) {
	var files []string
	for _, directory := range []string{p.rules, filepath.Join(p.rules, p.form)} {
		found, err := filepath.Glob(filepath.Join(directory, "*.yml"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%w: --rules: no *.yml in %s", errUsage, directory)
		}
		files = append(files, found...)
	}
	return files, nil
}

const (
	scrapeInterval = 5 * time.Second
	// The windows of five minutes are full, and what is computed of them has settled.
	fill = 6 * time.Minute
)
