/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Files of a known content from the internet: fetched, checked, unpacked. Which files these are is
 * left to the caller.
 */
package io.phasewise.lab.download;
