/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What a scrape of one canary with many clusters takes. */
package io.phasewise.bench.fleet;
