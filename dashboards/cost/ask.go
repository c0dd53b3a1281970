// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How often everything is asked; what is stated is the median, beside the first time.
const rounds = 9

// How many requests a browser has under way at once to one host.
const connections = 6

// A screen of 1080p is so wide, and a panel never asks for more points than it has pixels, nor for finer ones than there are.
const screen = 1920

// looks are how far back one may look: the dashboard's own range, and a wider one.
var looks = []time.Duration{30 * time.Minute, 6 * time.Hour}

type page struct {
	Panels []struct {
		Title   string
		Targets []struct {
			Expr    string
			Instant bool
		}
		GridPos struct{ W int }
	}
	Annotations struct {
		List []struct{ Name, Expr string }
	}
}

// query is one request of the dashboard.
type query struct {
	panel, expr string
	// columns of the grid's 24; 0 asks for this moment only.
	columns int
}

// queries lists what the dashboard in the file asks: its panels and its marks of events.
func queries(file string) ([]query, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p page
	if err := json.Unmarshal(content, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []query
	for _, panel := range p.Panels {
		for _, t := range panel.Targets {
			one := query{panel.Title, t.Expr, panel.GridPos.W}
			if t.Instant {
				one.columns = 0
			}
			all = append(all, one)
		}
	}
	for _, event := range p.Annotations.List {
		if event.Expr != "" {
			all = append(all, query{"event: " + event.Name, event.Expr, 24})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s asks nothing", file)
	}
	return all, nil
}

// step is Grafana's: the range over the width in pixels, rounded up to a round number, and never finer than the scrape interval.
func step(look time.Duration, columns int) time.Duration {
	exact := look / time.Duration(screen*columns/24)
	for _, round := range []time.Duration{
		5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	} {
		if round >= exact {
			return round
		}
	}
	return time.Hour
}

type prometheus struct {
	base   string
	client http.Client
}

// ask sends one query as Grafana does, and says how long the answer took and whether it held anything.
func (p *prometheus) ask(q query, end time.Time, look time.Duration) (took time.Duration, found bool, err error) {
	every := step(look, max(q.columns, 8))
	text := strings.NewReplacer(
		"$cluster", "local", "$profile", "default", "$leader", ".*", "$percentile", "0.99",
		"$__rate_interval", prom(max(every+15*time.Second, 20*time.Second)), "$__interval", prom(every), "$__range", prom(look),
	).Replace(q.expr)
	form := url.Values{"query": {text}, "time": {unix(end)}}
	path := "/api/v1/query"
	if q.columns > 0 {
		form = url.Values{"query": {text}, "start": {unix(end.Add(-look))}, "end": {unix(end)}, "step": {prom(every)}}
		path = "/api/v1/query_range"
	}
	start := time.Now()
	response, err := p.client.PostForm(p.base+path, form)
	if err != nil {
		return 0, false, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	took = time.Since(start)
	if err != nil {
		return 0, false, err
	}
	var answer struct {
		Error string
		Data  struct{ Result []json.RawMessage }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, false, err
	}
	if answer.Error != "" {
		return 0, false, fmt.Errorf("%s: %s", text, answer.Error)
	}
	return took, len(answer.Data.Result) > 0, nil
}

// processorTime is what the process has used so far: unlike the clock on the wall, it does not count what others on the machine use.
func (p *prometheus) processorTime() (time.Duration, error) {
	response, err := p.client.Get(p.base + "/metrics")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(body)) {
		if value, ok := strings.CutPrefix(line, "process_cpu_seconds_total "); ok {
			seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return time.Duration(seconds * float64(time.Second)), err
		}
	}
	return 0, fmt.Errorf("%s/metrics has no process_cpu_seconds_total", p.base)
}

// newest is the time of the newest sample: the data may have been written a while ago.
func (p *prometheus) newest() (time.Time, error) {
	response, err := p.client.PostForm(p.base+"/api/v1/query", url.Values{"query": {`max(max_over_time(timestamp(up)[12h:5m]))`}})
	if err != nil {
		return time.Time{}, err
	}
	defer response.Body.Close()
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return time.Time{}, err
	}
	if len(answer.Data.Result) == 0 {
		return time.Time{}, fmt.Errorf("%s has nothing of the last 12 hours; fill it again", p.base)
	}
	seconds, err := strconv.ParseFloat(answer.Data.Result[0].Value[1].(string), 64)
	return time.Unix(int64(seconds), 0), err
}

// ask prints, for each range, how long all queries took together, and the costliest of them.
func ask(base, dashboard string, out io.Writer) error {
	all, err := queries(dashboard)
	if err != nil {
		return err
	}
	p := &prometheus{strings.TrimSuffix(base, "/"), http.Client{
		Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: connections},
	}}
	end, err := p.newest()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d queries, %d rounds, up to %s\n\n", len(all), rounds, end.UTC().Format(time.DateTime))
	fmt.Fprintln(out, "| range | processor time | together, first time | together, median | together, slowest | all at once, median |\n|---|---|---|---|---|---|")
	costs := map[time.Duration][]time.Duration{}
	for _, look := range looks {
		one := make([][]time.Duration, len(all))
		before, err := p.processorTime()
		if err != nil {
			return err
		}
		var together, atOnce []time.Duration
		for range rounds {
			var sum time.Duration
			for i, q := range all {
				took, found, err := p.ask(q, end, look)
				if err != nil {
					return err
				}
				if !found && !mayBeEmpty(q) {
					return fmt.Errorf("%s gave nothing: %s", q.panel, q.expr)
				}
				one[i] = append(one[i], took)
				sum += took
			}
			together = append(together, sum)
			took, err := p.askAll(all, end, look)
			if err != nil {
				return err
			}
			atOnce = append(atOnce, took)
		}
		after, err := p.processorTime()
		if err != nil {
			return err
		}
		// Everything was asked twice in each round.
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", prom(look), ms((after-before)/(2*rounds)), ms(together[0]), ms(median(together)), ms(slices.Max(together)), ms(median(atOnce)))
		for i := range all {
			costs[look] = append(costs[look], median(one[i]))
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(costs[looks[0]][b] - costs[looks[0]][a]) })
	fmt.Fprintf(out, "\n| the costliest, at %s | median |\n|---|---|\n", prom(looks[0]))
	for _, i := range order[:8] {
		fmt.Fprintf(out, "| %s | %s |\n", all[i].panel, ms(costs[looks[0]][i]))
	}
	return nil
}

// askAll asks as a browser does, several at once, and says when the last one was answered.
func (p *prometheus) askAll(all []query, end time.Time, look time.Duration) (time.Duration, error) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	var failed error
	work := make(chan query)
	start := time.Now()
	for range connections {
		group.Go(func() {
			for q := range work {
				if _, _, err := p.ask(q, end, look); err != nil {
					mutex.Lock()
					failed = err
					mutex.Unlock()
				}
			}
		})
	}
	for _, q := range all {
		work <- q
	}
	close(work)
	group.Wait()
	return time.Since(start), failed
}

// Events are rare: nothing restarts and no leader changes in what fill writes.
func mayBeEmpty(q query) bool { return strings.HasPrefix(q.panel, "event: ") }

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

func unix(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

func prom(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + "s" }

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", d.Seconds()*1000) }
