/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What is done to clusters in production, by people who administer them. */
package io.phasewise.ops;
