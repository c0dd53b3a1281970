// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesAreFilledIn(t *testing.T) {
	assert.Equal(t, `rate(a{`+ofLeader+`,b="1"}[$__rate_interval]) < 1 > 2`, fill(`rate(a{<leader>,b="<b>"}[$__rate_interval]) < 1 > 2`, names{"b": "1"}))
	assert.Equal(t, "(a{<broker>}) or a{<broker>}", fill("(<query>) or <query>", names{"query": "a{<broker>}"}), "what a query names itself is filled in when it is shown")
}

func TestFaultsInNamesAreRefused(t *testing.T) {
	assert.PanicsWithValue(t, "<least> has no value in: a > <least>", func() { fill("a > <least>", nil) })
	assert.PanicsWithValue(t, "<least> has a value and is not used in: a", func() { fill("a", names{"least": "1"}) })
}
