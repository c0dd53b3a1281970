/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Whose time it was: each phase of each probe split by the broker and the role that it waited for, and who is named
 * because of that. Pure functions of trips and marks; reading marks is left to others.
 */
package io.phasewise.canary.account;
