/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What is handed on of a probe, and what its parts are. A trip, of a probe that has ended, goes one way: from the
 * ledger, which closes it, to the splitter, and from there with its phases to metrics, journal and traces. A copy of an
 * open probe goes the same way, as far as those who name suspects.
 */
package io.phasewise.canary.trip;
