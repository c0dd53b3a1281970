/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Real Kafka clusters of separate JVMs: planned by a pure function, formatted, started, broken and
 * stopped.
 */
package io.phasewise.lab.kafka;
