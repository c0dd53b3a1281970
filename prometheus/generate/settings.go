// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// settings is settings.yml; what each key means is said there.
type settings struct {
	Profiles    string    `yaml:"profiles"`
	Percentiles []float64 `yaml:"percentiles"`
	Latency     []span    `yaml:"latency"`
	Requests    string    `yaml:"requests"`
	Baseline    struct {
		Window     duration `yaml:"window"`
		Interval   duration `yaml:"interval"`
		MinSamples int      `yaml:"min_samples"`
		KeptFor    duration `yaml:"kept_for"`
	} `yaml:"baseline"`
	SLO struct {
		Period                duration   `yaml:"period"`
		AvailabilityObjective float64    `yaml:"availability_objective"`
		Windows               []window   `yaml:"windows"`
		BurnRates             []burnRate `yaml:"burn_rates"`
		MinBadProbes          int        `yaml:"min_bad_probes"`
		MostBad               mostBad    `yaml:"most_bad"`
		LeaderBad             leaderBad  `yaml:"leader_bad"`
		WarmUp                duration   `yaml:"warm_up"`
	} `yaml:"slo"`
	AlertInterval duration      `yaml:"alert_interval"`
	SuspectRoles  []suspectRole `yaml:"suspect_roles"`
	Thresholds    thresholds    `yaml:"thresholds"`
}

// suspectRole is what to do first about a suspect, by its role.
type suspectRole struct {
	Role string `yaml:"role"`
	Next string `yaml:"next"`
}

type window struct {
	Window   duration `yaml:"window"`
	Interval duration `yaml:"interval"`
	Stepwise bool     `yaml:"stepwise"`
}

// span is a window of which means are recorded often, and what costs more (histograms, percentiles, phases of requests) less often.
type span struct {
	Window         duration `yaml:"window"`
	Interval       duration `yaml:"interval"`
	CostlyInterval duration `yaml:"costly_interval"`
}

type burnRate struct {
	Alert    string   `yaml:"alert"`
	Severity string   `yaml:"severity"`
	Rate     float64  `yaml:"rate"`
	Long     duration `yaml:"long"`
	Short    duration `yaml:"short"`
}

type mostBad struct {
	Ratio     float64  `yaml:"ratio"`
	Window    duration `yaml:"window"`
	MinProbes int      `yaml:"min_probes"`
	For       duration `yaml:"for"`
	Keep      duration `yaml:"keep"`
}

// leaderBad is when a leader counts as broken: over both windows this share of its probes is bad, or nearly all of the last seconds.
type leaderBad struct {
	Ratio     float64  `yaml:"ratio"`
	Long      duration `yaml:"long"`
	Short     duration `yaml:"short"`
	MinProbes int      `yaml:"min_probes"`
	NearlyAll float64  `yaml:"nearly_all"`
	Last      duration `yaml:"last"`
	Others    float64  `yaml:"others"`
	Settled   duration `yaml:"settled"`
	Keep      duration `yaml:"keep"`
}

// thresholds are the numbers that stand in rules as <thresholds.KEY>. Those that Go reads have a field, too.
type thresholds struct {
	PhaseExcessSeconds float64            `yaml:"phase_excess_seconds"`
	PhaseExcessRatio   float64            `yaml:"phase_excess_ratio"`
	InRules            map[string]float64 `yaml:",inline"`
}

// duration is one number and one unit, as Prometheus writes it: 30s, 5m, 6h, 30d.
type duration string

var durationForm = regexp.MustCompile(`^([1-9][0-9]*)([smhd])$`)

func (d duration) seconds() int {
	parts := durationForm.FindStringSubmatch(string(d))
	number, _ := strconv.Atoi(parts[1])
	return number * map[string]int{"s": 1, "m": 60, "h": 3600, "d": 86400}[parts[2]]
}

func (d duration) times(factor int) duration {
	return duration(strconv.Itoa(d.seconds()*factor) + "s")
}

func (d duration) plus(other duration) duration {
	return duration(strconv.Itoa(d.seconds()+other.seconds()) + "s")
}

// readSettings refuses what it does not know and what makes no sense, all faults at once.
func readSettings(file string) (settings, error) {
	var s settings
	content, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if faults := s.faults(); len(faults) > 0 {
		return s, fmt.Errorf("%s: %s", file, strings.Join(faults, "\n"+file+": "))
	}
	return s, nil
}

func (s settings) faults() []string {
	var all []string
	refuse := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	length := func(key string, d duration) {
		if !durationForm.MatchString(string(d)) {
			refuse("%s is %q; allowed: a whole number and s, m, h or d", key, d)
		}
	}
	share := func(key string, value float64) {
		if !(value > 0 && value < 1) {
			refuse("%s is %v; allowed: more than 0, less than 1", key, value)
		}
	}
	for key, pattern := range map[string]string{"profiles": s.Profiles, "requests": s.Requests} {
		if _, err := regexp.Compile(pattern); err != nil || pattern == "" {
			refuse("%s is %q; allowed: a regular expression", key, pattern)
		}
	}
	for _, p := range s.Percentiles {
		share("percentiles", p)
	}
	for _, w := range s.Latency {
		length("latency.window", w.Window)
		length("latency.interval", w.Interval)
		length("latency.costly_interval", w.CostlyInterval)
	}
	for _, w := range s.SLO.Windows {
		length("slo.windows.window", w.Window)
		length("slo.windows.interval", w.Interval)
	}
	length("alert_interval", s.AlertInterval)
	length("baseline.window", s.Baseline.Window)
	length("baseline.interval", s.Baseline.Interval)
	length("baseline.kept_for", s.Baseline.KeptFor)
	length("slo.period", s.SLO.Period)
	length("slo.most_bad.window", s.SLO.MostBad.Window)
	length("slo.most_bad.for", s.SLO.MostBad.For)
	length("slo.most_bad.keep", s.SLO.MostBad.Keep)
	length("slo.warm_up", s.SLO.WarmUp)
	length("slo.leader_bad.long", s.SLO.LeaderBad.Long)
	length("slo.leader_bad.short", s.SLO.LeaderBad.Short)
	length("slo.leader_bad.last", s.SLO.LeaderBad.Last)
	length("slo.leader_bad.settled", s.SLO.LeaderBad.Settled)
	length("slo.leader_bad.keep", s.SLO.LeaderBad.Keep)
	share("slo.leader_bad.ratio", s.SLO.LeaderBad.Ratio)
	share("slo.leader_bad.nearly_all", s.SLO.LeaderBad.NearlyAll)
	share("slo.leader_bad.others", s.SLO.LeaderBad.Others)
	share("slo.availability_objective", s.SLO.AvailabilityObjective)
	share("slo.most_bad.ratio", s.SLO.MostBad.Ratio)
	recorded := map[duration]bool{}
	for _, w := range s.SLO.Windows {
		recorded[w.Window] = true
	}
	needed := []duration{s.SLO.Period}
	for _, b := range s.SLO.BurnRates {
		needed = append(needed, b.Long, b.Short)
		if b.Severity != "critical" && b.Severity != "warning" {
			refuse("slo.burn_rates: severity is %q; allowed: critical, warning", b.Severity)
		}
		if !(b.Rate > 0) {
			refuse("slo.burn_rates: rate is %v; allowed: more than 0", b.Rate)
		}
	}
	for _, w := range needed {
		if !recorded[w] {
			refuse("%q is used and not in slo.windows", w)
		}
	}
	for _, r := range s.SuspectRoles {
		if r.Role == "" || r.Next == "" {
			refuse("suspect_roles: {role: %q, next: %q}; allowed: a role and what to do first", r.Role, r.Next)
		}
	}
	for key, value := range s.Thresholds.byKey() {
		if !(value > 0) {
			refuse("thresholds.%s is %v; allowed: more than 0", key, value)
		}
	}
	named := thresholdsNamed()
	for key := range s.Thresholds.InRules {
		if named[key] == "" {
			refuse("thresholds.%s is read by no rule; allowed: %s", key, strings.Join(slices.Sorted(maps.Keys(named)), ", "))
		}
	}
	for key, file := range named {
		if _, has := s.Thresholds.byKey()[key]; !has {
			refuse("thresholds.%s is missing, and %s reads it", key, file)
		}
	}
	return all
}

// byKey is every threshold under the key it has in the file.
func (t thresholds) byKey() map[string]float64 {
	values := map[string]float64{}
	decodeAs(t, &values)
	return values
}

var (
	thresholdName = regexp.MustCompile(`<thresholds\.([a-z0-9_]+)>`)
	yamlComment   = regexp.MustCompile(`(?m)^ *#.*$`)
)

// thresholdsNamed are the thresholds in the files of rules, each with a file that has it.
func thresholdsNamed() map[string]string {
	all := map[string]string{}
	files, err := sources.ReadDir("rules")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		path := "rules/" + file.Name()
		content, err := sources.ReadFile(path)
		if err != nil {
			panic(err)
		}
		for _, found := range thresholdName.FindAllSubmatch(yamlComment.ReplaceAll(content, nil), -1) {
			all[string(found[1])] = "generate/" + path
		}
	}
	return all
}

// scope has every single setting by its keys in the file: <slo.most_bad.ratio>.
func (s settings) scope() *scope {
	all := &scope{values: names{}, used: map[string]bool{}}
	all.values.addAll("", s.tree())
	return all
}

// rows are those of a list in the settings, as values of the names <each.KEY>. Without a list there is one, of no names.
func (s settings) rows(list string) []names {
	if list == "" {
		return []names{nil}
	}
	var at any = s.tree()
	for _, key := range strings.Split(list, ".") {
		at = at.(map[string]any)[key]
	}
	var all []names
	for _, row := range at.([]any) {
		values := names{}
		values.addAll("each.", row.(map[string]any))
		all = append(all, values)
	}
	return all
}

func (s settings) tree() map[string]any {
	tree := map[string]any{}
	decodeAs(s, &tree)
	return tree
}

// addAll adds what is in a tree of settings, as PromQL has it; but no lists.
func (n names) addAll(prefix string, tree map[string]any) {
	for key, value := range tree {
		switch v := value.(type) {
		case map[string]any:
			n.addAll(prefix+key+".", v)
		case float64:
			n[prefix+key] = number(v)
		case int, string:
			n[prefix+key] = fmt.Sprint(v)
		}
	}
}

// decodeAs has a value by its keys in the file.
func decodeAs(value, as any) {
	encoded, err := yaml.Marshal(value)
	if err := errors.Join(err, yaml.Unmarshal(encoded, as)); err != nil {
		panic(err)
	}
}

// number writes a value as PromQL reads it, without an exponent.
func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
