/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Who is named because probes wait for it, second by second, and the sentence that says so. Pure functions of accounts
 * and of the seconds that pass; making the accounts is left to others.
 */
package io.phasewise.canary.account.suspect;
