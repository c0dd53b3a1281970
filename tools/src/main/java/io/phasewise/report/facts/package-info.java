/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a reader must know before believing the numbers: settings and versions, clocks, gaps.
 */
package io.phasewise.report.facts;
