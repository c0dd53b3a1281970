/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a scrape costs a broker, under this exporter and under others. */
package io.phasewise.bench.scrape;
