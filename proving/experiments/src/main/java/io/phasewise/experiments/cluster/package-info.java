/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Clusters of the lab's own, each broker with the exporter's agent, and what is asked of one. */
package io.phasewise.experiments.cluster;
