// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"phasewise.io/dashboards/internal/signals"
)

// Order and colours are defined once, for Java, Go and the canary's page alike.
func TestPhasesAreThoseOfTheirDefinition(t *testing.T) {
	file, err := os.Open("../../../common/src/main/resources/io/phasewise/common/phase/phases.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var colours []phaseColour
	for _, row := range rows[1:] {
		names = append(names, row[0])
		colours = append(colours, phaseColour{row[0], strings.ToUpper(row[1])})
	}
	if !slices.Equal(signals.Parts, names) {
		t.Errorf("signals.Parts are %v, defined are %v", signals.Parts, names)
	}
	if !slices.Equal(phaseColours, colours) {
		t.Errorf("colours are %v, defined are %v", phaseColours, colours)
	}
}
