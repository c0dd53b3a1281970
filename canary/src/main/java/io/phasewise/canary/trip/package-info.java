/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What is handed on of a probe once it has ended, and what its parts are. A trip goes one way: from the ledger, which
 * closes it, to the splitter, and from there with its phases to metrics, journal and traces.
 */
package io.phasewise.canary.trip;
