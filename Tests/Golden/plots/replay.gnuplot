set encoding utf8
set terminal svg size 1000,896 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Replay: Scroll window (gpu-overrun)" at screen 0.014, screen 0.9776785714285714 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "recorded: frames \070 to \062\063, n \061\066\073 \061 dropped refresh\073 \063 buffers\073 predicted: frames \070 to \062\063, n \061\066\073 \061 dropped refresh\073 \063 buffers (inferred)" at screen 0.014, screen 0.953125 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.108
set rmargin at screen 0.976
set tmargin at screen 0.890625
set bmargin at screen 0.5323660714285714
set xrange [194.446:411.1144]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [4.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("app" 0.0, "compositor" 1.0, "GPU" 2.0, "display" 3.0, "dropped" 4.0)
set grid noytics
set key at screen 0.976, screen 0.9397321428571429 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\061\061" at 204.1683,0.0 center noenhanced front textcolor rgb "#000000"
set label 101 "\061\062" at 220.8351,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 102 "\061\063" at 237.50189999999998,0.0 center noenhanced front textcolor rgb "#000000"
set label 103 "\061\064" at 254.1687,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 104 "\061\065" at 270.8355,0.0 center noenhanced front textcolor rgb "#000000"
set label 105 "\061\066" at 287.5023,0.0 center noenhanced front textcolor rgb "#000000"
set label 106 "\061\067" at 304.1691,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 107 "\061\070" at 320.8359,0.0 center noenhanced front textcolor rgb "#000000"
set label 108 "\061\071" at 337.5027,0.0 center noenhanced front textcolor rgb "#000000"
set label 109 "\062\060" at 354.16949999999997,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 110 "\062\061" at 370.8363,0.0 center noenhanced front textcolor rgb "#000000"
set label 111 "\062\062" at 387.5031,0.0 center noenhanced front textcolor rgb "#000000"
set label 112 "\062\063" at 404.1699,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 113 "\061\060" at 202.5016,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 114 "\061\061" at 219.1684,1.0 center noenhanced front textcolor rgb "#000000"
set label 115 "\061\062" at 235.8352,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 116 "\061\063" at 252.502,1.0 center noenhanced front textcolor rgb "#000000"
set label 117 "\061\064" at 269.1688,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 118 "\061\065" at 285.8356,1.0 center noenhanced front textcolor rgb "#000000"
set label 119 "\061\066" at 302.5024,1.0 center noenhanced front textcolor rgb "#000000"
set label 120 "\061\067" at 319.1692,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 121 "\061\070" at 335.836,1.0 center noenhanced front textcolor rgb "#000000"
set label 122 "\061\071" at 352.5028,1.0 center noenhanced front textcolor rgb "#000000"
set label 123 "\062\060" at 369.1696,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 124 "\062\061" at 385.8364,1.0 center noenhanced front textcolor rgb "#000000"
set label 125 "\062\062" at 402.5032,1.0 center noenhanced front textcolor rgb "#000000"
set label 126 "\061\060" at 207.5016,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 127 "\061\061" at 224.1684,2.0 center noenhanced front textcolor rgb "#000000"
set label 128 "\061\062" at 240.8352,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 129 "\061\063" at 257.502,2.0 center noenhanced front textcolor rgb "#000000"
set label 130 "\061\064" at 274.1688,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 131 "\061\065" at 301.64065,2.0 center noenhanced front textcolor rgb "#000000"
set label 132 "\061\066" at 317.4457,2.0 center noenhanced front textcolor rgb "#000000"
set label 133 "\061\067" at 324.1692,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 134 "\061\070" at 340.836,2.0 center noenhanced front textcolor rgb "#000000"
set label 135 "\061\071" at 357.5028,2.0 center noenhanced front textcolor rgb "#000000"
set label 136 "\062\060" at 374.1696,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 137 "\062\061" at 390.8364,2.0 center noenhanced front textcolor rgb "#000000"
set label 138 "\062\062" at 407.5032,2.0 center noenhanced front textcolor rgb "#000000"
set label 139 "\070" at 197.22379999999998,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 140 "\071" at 208.33499999999998,3.0 center noenhanced front textcolor rgb "#000000"
set label 141 "\061\060" at 225.0018,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 142 "\061\061" at 241.6686,3.0 center noenhanced front textcolor rgb "#000000"
set label 143 "\061\062" at 258.3354,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 144 "\061\063" at 275.0022,3.0 center noenhanced front textcolor rgb "#000000"
set label 145 "\061\064" at 300.00239999999997,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 146 "\061\065" at 325.00260000000003,3.0 center noenhanced front textcolor rgb "#000000"
set label 147 "\061\066" at 341.6694,3.0 center noenhanced front textcolor rgb "#000000"
set label 148 "\061\067" at 358.33619999999996,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 149 "\061\070" at 375.00300000000004,3.0 center noenhanced front textcolor rgb "#000000"
set label 150 "\061\071" at 391.6698,3.0 center noenhanced front textcolor rgb "#000000"
set label 151 "\062\060" at 405.5588,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 152 "gpu" at 308.3358,4.0 center noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(13) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 0.5 linecolor rgb "#6e7781" title "refreshes", \
  "data/\061" binary format="%double%double%double%double" record=(21) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer A", \
  "data/\062" binary format="%double%double%double%double" record=(20) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer B", \
  "data/\063" binary format="%double%double%double%double" record=(11) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer C", \
  "data/\064" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#d55e00" fillstyle transparent pattern 4 border linecolor rgb "#d55e00" linewidth 0.8 title "dropped refresh", \
  "data/\065" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors head filled size screen 0.006,20 linewidth 1.2 linecolor rgb "#d55e00" title "hitch"
unset label
set lmargin at screen 0.108
set rmargin at screen 0.976
set tmargin at screen 0.42075892857142855
set bmargin at screen 0.062499999999999944
set xrange [194.446:411.1144]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [4.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("app" 0.0, "compositor" 1.0, "GPU" 2.0, "display" 3.0, "dropped" 4.0)
set grid noytics
set key at screen 0.976, screen 0.4698660714285714 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\061\061" at 204.1683,0.0 center noenhanced front textcolor rgb "#000000"
set label 101 "\061\062" at 220.8351,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 102 "\061\063" at 237.50189999999998,0.0 center noenhanced front textcolor rgb "#000000"
set label 103 "\061\064" at 254.1687,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 104 "\061\065" at 270.8355,0.0 center noenhanced front textcolor rgb "#000000"
set label 105 "\061\066" at 287.5023,0.0 center noenhanced front textcolor rgb "#000000"
set label 106 "\061\067" at 304.1691,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 107 "\061\070" at 320.8359,0.0 center noenhanced front textcolor rgb "#000000"
set label 108 "\061\071" at 337.5027,0.0 center noenhanced front textcolor rgb "#000000"
set label 109 "\062\060" at 354.16949999999997,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 110 "\062\061" at 370.8363,0.0 center noenhanced front textcolor rgb "#000000"
set label 111 "\062\062" at 387.5031,0.0 center noenhanced front textcolor rgb "#000000"
set label 112 "\062\063" at 404.1699,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 113 "\061\060" at 202.5016,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 114 "\061\061" at 219.1684,1.0 center noenhanced front textcolor rgb "#000000"
set label 115 "\061\062" at 235.8352,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 116 "\061\063" at 252.502,1.0 center noenhanced front textcolor rgb "#000000"
set label 117 "\061\064" at 269.1688,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 118 "\061\065" at 285.8356,1.0 center noenhanced front textcolor rgb "#000000"
set label 119 "\061\066" at 302.5024,1.0 center noenhanced front textcolor rgb "#000000"
set label 120 "\061\067" at 319.1692,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 121 "\061\070" at 335.836,1.0 center noenhanced front textcolor rgb "#000000"
set label 122 "\061\071" at 352.5028,1.0 center noenhanced front textcolor rgb "#000000"
set label 123 "\062\060" at 369.1696,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 124 "\062\061" at 385.8364,1.0 center noenhanced front textcolor rgb "#000000"
set label 125 "\062\062" at 402.5032,1.0 center noenhanced front textcolor rgb "#000000"
set label 126 "\061\065" at 294.98812499999997,2.0 center noenhanced front textcolor rgb "#000000"
set label 127 "\070" at 197.22379999999998,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 128 "\071" at 208.33499999999998,3.0 center noenhanced front textcolor rgb "#000000"
set label 129 "\061\060" at 225.0018,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 130 "\061\061" at 241.6686,3.0 center noenhanced front textcolor rgb "#000000"
set label 131 "\061\062" at 258.3354,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 132 "\061\063" at 275.0022,3.0 center noenhanced front textcolor rgb "#000000"
set label 133 "\061\064" at 300.00239999999997,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 134 "\061\065" at 325.00260000000003,3.0 center noenhanced front textcolor rgb "#000000"
set label 135 "\061\066" at 341.6694,3.0 center noenhanced front textcolor rgb "#000000"
set label 136 "\061\067" at 358.33619999999996,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 137 "\061\070" at 375.00300000000004,3.0 center noenhanced front textcolor rgb "#000000"
set label 138 "\061\071" at 391.6698,3.0 center noenhanced front textcolor rgb "#000000"
set label 139 "\062\060" at 405.5588,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 140 "gpu" at 308.3358,4.0 center noenhanced front textcolor rgb "#1f2328"
plot "data/\066" binary format="%double%double%double%double" record=(13) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 0.5 linecolor rgb "#6e7781" title "refreshes", \
  "data/\067" binary format="%double%double%double%double" record=(21) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer A", \
  "data/\070" binary format="%double%double%double%double" record=(20) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer B", \
  "data/\071" binary format="%double%double%double%double" record=(11) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer C", \
  "data/\061\060" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#d55e00" fillstyle transparent pattern 4 border linecolor rgb "#d55e00" linewidth 0.8 title "dropped refresh", \
  "data/\061\061" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors head filled size screen 0.006,20 linewidth 1.2 linecolor rgb "#d55e00" title "hitch"
unset label
unset multiplot
unset output
# data/0: 200.0016 -0.6 200.0016 4.6 216.6684 -0.6 216.6684 4.6 233.3352 -0.6 233.3352 4.6 250.002 -0.6 250.002 4.6 266.6688 -0.6 266.6688 4.6 283.3356 -0.6 283.3356 4.6 300.0024 -0.6 300.0024 4.6 316.6692 -0.6 316.6692 4.6 333.336 -0.6 333.336 4.6 350.0028 -0.6 350.0028 4.6 366.6696 -0.6 366.6696 4.6 383.3364 -0.6 383.3364 4.6 400.0032 -0.6 400.0032 4.6
# data/1: 216.6684 225.0018 -0.38 0.38 250.002 258.3354 -0.38 0.38 300.0024 308.3358 -0.38 0.38 350.0028 358.3362 -0.38 0.38 400.0032 408.3366 -0.38 0.38 200.0016 205.0016 0.62 1.38 233.3352 238.3352 0.62 1.38 266.6688 271.6688 0.62 1.38 316.6692 321.6692 0.62 1.38 366.6696 371.6696 0.62 1.38 205.0016 210.0016 1.62 2.38 238.3352 243.3352 1.62 2.38 271.6688 276.6688 1.62 2.38 321.6692 326.6692 1.62 2.38 371.6696 376.6696 1.62 2.38 194.446 200.0016 2.62 3.38 216.6684 233.3352 2.62 3.38 250.002 266.6688 2.62 3.38 283.3356 316.6692 2.62 3.38 350.0028 366.6696 2.62 3.38 400.0032 411.1144 2.62 3.38
# data/2: 200.0016 208.335 -0.38 0.38 233.3352 241.6686 -0.38 0.38 266.6688 275.0022 -0.38 0.38 316.6692 325.0026 -0.38 0.38 366.6696 375.003 -0.38 0.38 216.6684 221.6684 0.62 1.38 250.002 255.002 0.62 1.38 283.3356 288.3356 0.62 1.38 333.336 338.336 0.62 1.38 383.3364 388.3364 0.62 1.38 221.6684 226.6684 1.62 2.38 255.002 260.002 1.62 2.38 288.3356 314.9457 1.62 2.38 338.336 343.336 1.62 2.38 388.3364 393.3364 1.62 2.38 200.0016 216.6684 2.62 3.38 233.3352 250.002 2.62 3.38 266.6688 283.3356 2.62 3.38 316.6692 333.336 2.62 3.38 366.6696 383.3364 2.62 3.38
# data/3: 283.3356 291.669 -0.38 0.38 333.336 341.6694 -0.38 0.38 383.3364 391.6698 -0.38 0.38 300.0024 305.0024 0.62 1.38 350.0028 355.0028 0.62 1.38 400.0032 405.0032 0.62 1.38 314.9457 319.9457 1.62 2.38 355.0028 360.0028 1.62 2.38 405.0032 410.0032 1.62 2.38 333.336 350.0028 2.62 3.38 383.3364 400.0032 2.62 3.38
# data/4: 300.0024 316.6692 3.7 4.3
# data/5: 300.0024 3.58 316.66920000000005 3.58
# data/6: 200.0016 -0.6 200.0016 4.6 216.6684 -0.6 216.6684 4.6 233.3352 -0.6 233.3352 4.6 250.002 -0.6 250.002 4.6 266.6688 -0.6 266.6688 4.6 283.3356 -0.6 283.3356 4.6 300.0024 -0.6 300.0024 4.6 316.6692 -0.6 316.6692 4.6 333.336 -0.6 333.336 4.6 350.0028 -0.6 350.0028 4.6 366.6696 -0.6 366.6696 4.6 383.3364 -0.6 383.3364 4.6 400.0032 -0.6 400.0032 4.6
# data/7: 216.6684 225.0018 -0.38 0.38 250.002 258.3354 -0.38 0.38 300.0024 308.3358 -0.38 0.38 350.0028 358.3362 -0.38 0.38 400.0032 408.3366 -0.38 0.38 200.0016 205.0016 0.62 1.38 233.3352 238.3352 0.62 1.38 266.6688 271.6688 0.62 1.38 316.6692 321.6692 0.62 1.38 366.6696 371.6696 0.62 1.38 205.0016 207.5016 1.62 2.38 238.3352 240.8352 1.62 2.38 271.6688 274.1688 1.62 2.38 321.6692 324.1692 1.62 2.38 371.6696 374.1696 1.62 2.38 194.446 200.0016 2.62 3.38 216.6684 233.3352 2.62 3.38 250.002 266.6688 2.62 3.38 283.3356 316.6692 2.62 3.38 350.0028 366.6696 2.62 3.38 400.0032 411.1144 2.62 3.38
# data/8: 200.0016 208.335 -0.38 0.38 233.3352 241.6686 -0.38 0.38 266.6688 275.0022 -0.38 0.38 316.6692 325.0026 -0.38 0.38 366.6696 375.003 -0.38 0.38 216.6684 221.6684 0.62 1.38 250.002 255.002 0.62 1.38 283.3356 288.3356 0.62 1.38 333.336 338.336 0.62 1.38 383.3364 388.3364 0.62 1.38 221.6684 224.1684 1.62 2.38 255.002 257.502 1.62 2.38 288.3356 301.64065 1.62 2.38 338.336 340.836 1.62 2.38 388.3364 390.8364 1.62 2.38 200.0016 216.6684 2.62 3.38 233.3352 250.002 2.62 3.38 266.6688 283.3356 2.62 3.38 316.6692 333.336 2.62 3.38 366.6696 383.3364 2.62 3.38
# data/9: 283.3356 291.669 -0.38 0.38 333.336 341.6694 -0.38 0.38 383.3364 391.6698 -0.38 0.38 300.0024 305.0024 0.62 1.38 350.0028 355.0028 0.62 1.38 400.0032 405.0032 0.62 1.38 305.0024 307.5024 1.62 2.38 355.0028 357.5028 1.62 2.38 405.0032 407.5032 1.62 2.38 333.336 350.0028 2.62 3.38 383.3364 400.0032 2.62 3.38
# data/10: 300.0024 316.6692 3.7 4.3
# data/11: 300.0024 3.58 316.66920000000005 3.58
