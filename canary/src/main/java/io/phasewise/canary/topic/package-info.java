/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Makes the probes' topic what it should be: an observer and an applier at the edge, a pure planner
 * between them.
 */
package io.phasewise.canary.topic;
