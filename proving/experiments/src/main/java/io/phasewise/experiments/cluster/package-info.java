/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Clusters of the lab, each node with the exporter's agent, and requests to them. */
package io.phasewise.experiments.cluster;
