/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The times in which the objective was not kept, and what else happened then.
 */
package io.phasewise.report.incident;
