// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestNamesAreFilledIn(t *testing.T) {
	file := (&scope{values: names{"window": "5m", "least": "3"}, used: map[string]bool{}}).with(names{"lost": "increase(lost_total[<window>])"})
	rule := file.with(names{"doubled": "2 * <lost>"})
	if got, want := rule.fill("<doubled> > <least> or <lost> < 1"), "2 * increase(lost_total[5m]) > 3 or increase(lost_total[5m]) < 1"; got != want {
		t.Errorf("filled in as %q, want %q", got, want)
	}
	if got, want := fill(`{{ $labels.a }} {b=~"<of>"} a < b > c <= 1 [$__range]`, names{"of": "<c>"}), `{{ $labels.a }} {b=~"<c>"} a < b > c <= 1 [$__range]`; got != want {
		t.Errorf("filled in as %q, want %q", got, want)
	}
}

// The template's printf is Go's.
func TestAQueryOfATextNamesTheVariablesOfItsTemplate(t *testing.T) {
	got := asked("topk(1,\n  a{cluster=$cluster,leader=$like} or b{cluster=$cluster,c=\"$1\"})", alertsCluster, variable{"like", "(f .x)"})
	format, has := strings.CutPrefix(strings.TrimSuffix(got, " $labels.cluster (f .x)"), "printf ")
	format, err := strconv.Unquote(format)
	if !has || err != nil {
		t.Fatalf("asked as %s: %v", got, err)
	}
	if query, want := fmt.Sprintf(format, "prod", "1.2"), `topk(1, a{cluster="prod",leader="1.2"} or b{cluster="prod",c="$1"})`; query != want {
		t.Errorf("asks %s, want %s", query, want)
	}
}

func TestFaultsInNamesAreRefused(t *testing.T) {
	empty := &scope{used: map[string]bool{}}
	for name, tc := range map[string]struct {
		make func()
		says string
	}{
		"a name without a value":       {func() { fill("a > <least>", names{}) }, "<least> has no value in: a > <least>"},
		"a value that is not used":     {func() { fill("a", names{"least": "1"}) }, "<least> has a value and is not used in: a"},
		"a name of the same scope":     {func() { empty.with(names{"a": "1", "b": "<a>"}) }, "<a> has no value"},
		"a variable without a value":   {func() { asked("a{leader=$leader}") }, "$leader has no value"},
		"a variable that is not used":  {func() { asked("a", alertsCluster) }, "$cluster is not used in: a"},
		"a variable named in a longer": {func() { asked("a{b=$clusters}", alertsCluster) }, "$cluster is not used"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, tc.says) {
					t.Errorf("says %q, want %q", said, tc.says)
				}
			}()
			tc.make()
		})
	}
}
