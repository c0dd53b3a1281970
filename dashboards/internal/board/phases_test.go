// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package board

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"phasewise.io/dashboards/internal/signals"
)

// Order and colours are defined once, for Java, Go and the canary's page alike.
func TestPhasesAreThoseOfTheirDefinition(t *testing.T) {
	file, err := os.Open("../../../common/src/main/resources/io/phasewise/common/phase/phases.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var names []string
	var colours []phaseColour
	for _, row := range rows[1:] {
		names = append(names, row[0])
		colours = append(colours, phaseColour{row[0], strings.ToUpper(row[1])})
	}
	assert.Equal(t, names, signals.Phases, "signals.Phases")
	assert.Equal(t, colours, phaseColours, "colours")
}
