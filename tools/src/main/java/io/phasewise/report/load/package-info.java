/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How much load the brokers have, how much more they could take, and how evenly it lies on them.
 */
package io.phasewise.report.load;
