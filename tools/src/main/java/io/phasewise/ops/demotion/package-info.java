/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Taking a degraded broker out of the path of clients, and back: leadership moves, data does not.
 */
package io.phasewise.ops.demotion;
