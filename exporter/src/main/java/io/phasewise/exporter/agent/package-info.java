/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the broker's JVM starts, and the jar as a program. It puts the parts together: configuration, request timing,
 * marks, clients, JMX, endpoint. A part that fails is left out; the broker never notices.
 */
package io.phasewise.exporter.agent;
