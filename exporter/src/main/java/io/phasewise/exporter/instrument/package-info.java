/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Has Kafka's classes call the agent: what a hook is, what Kafka's classes must look like for it,
 * and which hooks are active. What is done with the calls is left to timing, marks, jmx and telemetry.
 */
package io.phasewise.exporter.instrument;
