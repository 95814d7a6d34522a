"""The JSON form of Kafu: conversion, shape checks and JSON Schema."""
