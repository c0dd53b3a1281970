/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Times the broker's requests from inside: instrumentation of Kafka's request class, the phases,
 * and their metrics. Counting is left to the recorder, serving to the endpoint.
 */
package io.phasewise.exporter.timing;
