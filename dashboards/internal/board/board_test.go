// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"phasewise.io/dashboards/internal/signal"
)

func aSignal(name string) signal.Signal {
	return signal.Signal{Name: name, Query: "x", Unit: signal.Seconds, Read: "how to read it", Do: "what to do"}
}

func aTrend(signals ...signal.Signal) Trend {
	return Trend{Title: "t", Signals: signals}
}

func TestACollapsedRowHoldsItsPanelsAndTakesOneLine(t *testing.T) {
	rendered, err := Dashboard{UID: "u", Title: "t", Rows: []Row{
		{Title: "few", Height: 7, Panels: []Panel{aTrend(aSignal("a")), aTrend(aSignal("b"))}, Collapsed: true},
		{Title: "all", Height: 5, Panels: []Panel{aTrend(aSignal("c"))}},
	}}.JSON()
	require.NoError(t, err)
	var parsed struct {
		Panels []struct {
			Type      string           `json:"type"`
			Collapsed bool             `json:"collapsed"`
			Panels    []map[string]any `json:"panels"`
			GridPos   grid             `json:"gridPos"`
		} `json:"panels"`
	}
	require.NoError(t, json.Unmarshal(rendered, &parsed))
	require.Len(t, parsed.Panels, 3)
	few, all := parsed.Panels[0], parsed.Panels[1]
	assert.True(t, few.Collapsed && !all.Collapsed)
	assert.Len(t, few.Panels, 2)
	assert.Equal(t, 1, all.GridPos.Y)
	_, err = Dashboard{UID: "u", Title: "t", Rows: []Row{{Height: 7, Panels: []Panel{aTrend(aSignal("a"))}, Collapsed: true}}}.JSON()
	assert.Error(t, err, "a row that nobody can open")
}

type grid struct{ X, Y, W, H int }

func place(t *testing.T, rows ...Row) []grid {
	t.Helper()
	rendered, err := Dashboard{UID: "u", Title: "t", Rows: rows}.JSON()
	require.NoError(t, err)
	var parsed struct {
		Panels []struct {
			ID      int  `json:"id"`
			GridPos grid `json:"gridPos"`
		} `json:"panels"`
	}
	require.NoError(t, json.Unmarshal(rendered, &parsed))
	var places []grid
	for i, panel := range parsed.Panels {
		assert.Equal(t, i+1, panel.ID, "panel")
		places = append(places, panel.GridPos)
	}
	return places
}

func TestPanelsOfARowShareItsWidthAndRowsFollowEachOther(t *testing.T) {
	p := aTrend(aSignal("s"))
	got := place(t, Row{Height: 4, Panels: []Panel{p, p}}, Row{Title: "second", Height: 6, Panels: []Panel{p, p, p, p, p}})
	want := []grid{
		{0, 0, 12, 4}, {12, 0, 12, 4},
		{0, 4, 24, 1},
		{0, 5, 5, 6}, {5, 5, 5, 6}, {10, 5, 5, 6}, {15, 5, 5, 6}, {20, 5, 4, 6},
	}
	assert.Equal(t, want, got)
}

func TestAPanelOfItsOwnWidthLeavesTheRestToTheOthers(t *testing.T) {
	p := aTrend(aSignal("s"))
	got := place(t, Row{Height: 4, Panels: []Panel{p, Wide{p, 9}, p}})
	assert.Equal(t, []grid{{0, 0, 8, 4}, {8, 0, 9, 4}, {17, 0, 7, 4}}, got, "panels at")
}

func TestWhatNobodyCouldReadIsRefused(t *testing.T) {
	nameless, wordless, helpless, unitless, empty := aSignal(""), aSignal("s"), aSignal("s"), aSignal("s"), aSignal("s")
	wordless.Read = " "
	helpless.Do = " "
	unitless.Unit = ""
	empty.Query = ""
	bytes := aSignal("other")
	bytes.Unit = signal.Ratio
	for name, tc := range map[string]struct {
		panels []Panel
		want   string
	}{
		"no name":             {[]Panel{aTrend(nameless)}, "name is empty"},
		"not how to read it":  {[]Panel{aTrend(wordless)}, "how to read it is empty"},
		"not what to do":      {[]Panel{aTrend(helpless)}, "what to do is empty"},
		"too wide":            {[]Panel{Wide{aTrend(aSignal("s")), 20}, Wide{aTrend(aSignal("s")), 5}}, "is wider than 24"},
		"no unit":             {[]Panel{aTrend(unitless)}, "unit is empty"},
		"no query":            {[]Panel{aTrend(empty)}, "query is empty"},
		"two units, one axis": {[]Panel{aTrend(aSignal("s"), bytes)}, "share an axis but not a unit"},
		"no signal":           {[]Panel{aTrend()}, "shows no signal"},
		"no panel":            {nil, "has no panel"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Dashboard{UID: "u", Title: "t", Rows: []Row{{Title: "r", Height: 4, Panels: tc.panels}}}.JSON()
			assert.ErrorContains(t, err, tc.want)
		})
	}
}
