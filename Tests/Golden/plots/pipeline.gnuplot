set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Pipeline: Touches window (triple-switch)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "frames \062\063 to \063\070, n \061\066\073 around the worst drop: \061 refresh by the GPU\073 \061 dropped refresh\073 \063 buffers" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.108
set rmargin at screen 0.976
set tmargin at screen 0.825
set bmargin at screen 0.09999999999999998
set xrange [444.448:661.1164]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [4.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("app" 0.0, "compositor" 1.0, "GPU" 2.0, "display" 3.0, "dropped" 4.0)
set grid noytics
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\062\066" at 454.1703,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 101 "\062\067" at 470.83709999999996,0.0 center noenhanced front textcolor rgb "#000000"
set label 102 "\062\070" at 487.5039,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 103 "\062\071" at 504.1707,0.0 center noenhanced front textcolor rgb "#000000"
set label 104 "\063\060" at 520.8375,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 105 "\063\061" at 537.5043000000001,0.0 center noenhanced front textcolor rgb "#000000"
set label 106 "\063\062" at 554.1711,0.0 center noenhanced front textcolor rgb "#000000"
set label 107 "\063\063" at 570.8379,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 108 "\063\064" at 587.5047,0.0 center noenhanced front textcolor rgb "#000000"
set label 109 "\063\065" at 604.1715,0.0 center noenhanced front textcolor rgb "#000000"
set label 110 "\063\066" at 620.8383,0.0 center noenhanced front textcolor rgb "#ffffff"
set label 111 "\063\067" at 637.5051,0.0 center noenhanced front textcolor rgb "#000000"
set label 112 "\063\070" at 654.1719,0.0 center noenhanced front textcolor rgb "#000000"
set label 113 "\062\065" at 453.33695,1.0 center noenhanced front textcolor rgb "#000000"
set label 114 "\062\066" at 470.00374999999997,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 115 "\062\067" at 486.67055,1.0 center noenhanced front textcolor rgb "#000000"
set label 116 "\062\070" at 503.33735,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 117 "\062\071" at 520.00415,1.0 center noenhanced front textcolor rgb "#000000"
set label 118 "\063\060" at 536.67095,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 119 "\063\061" at 553.33775,1.0 center noenhanced front textcolor rgb "#000000"
set label 120 "\063\062" at 570.00455,1.0 center noenhanced front textcolor rgb "#000000"
set label 121 "\063\063" at 586.67135,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 122 "\063\064" at 603.33815,1.0 center noenhanced front textcolor rgb "#000000"
set label 123 "\063\065" at 620.00495,1.0 center noenhanced front textcolor rgb "#000000"
set label 124 "\063\066" at 636.67175,1.0 center noenhanced front textcolor rgb "#ffffff"
set label 125 "\063\067" at 653.3385499999999,1.0 center noenhanced front textcolor rgb "#000000"
set label 126 "\062\065" at 460.00365,2.0 center noenhanced front textcolor rgb "#000000"
set label 127 "\062\066" at 476.67045,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 128 "\062\067" at 493.33725,2.0 center noenhanced front textcolor rgb "#000000"
set label 129 "\062\070" at 510.00405,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 130 "\062\071" at 526.67085,2.0 center noenhanced front textcolor rgb "#000000"
set label 131 "\063\060" at 547.5043499999999,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 132 "\063\061" at 564.17115,2.0 center noenhanced front textcolor rgb "#000000"
set label 133 "\063\062" at 580.83795,2.0 center noenhanced front textcolor rgb "#000000"
set label 134 "\063\063" at 597.5047500000001,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 135 "\063\064" at 614.17155,2.0 center noenhanced front textcolor rgb "#000000"
set label 136 "\063\065" at 630.83835,2.0 center noenhanced front textcolor rgb "#000000"
set label 137 "\063\066" at 647.50515,2.0 center noenhanced front textcolor rgb "#ffffff"
set label 138 "\063\067" at 658.8941500000001,2.0 center noenhanced front textcolor rgb "#000000"
set label 139 "\062\063" at 447.2258,3.0 center noenhanced front textcolor rgb "#000000"
set label 140 "\062\064" at 458.337,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 141 "\062\065" at 475.00379999999996,3.0 center noenhanced front textcolor rgb "#000000"
set label 142 "\062\066" at 491.67060000000004,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 143 "\062\067" at 508.3374,3.0 center noenhanced front textcolor rgb "#000000"
set label 144 "\062\070" at 525.0042,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 145 "\062\071" at 550.0044,3.0 center noenhanced front textcolor rgb "#000000"
set label 146 "\063\060" at 575.0046,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 147 "\063\061" at 591.6714,3.0 center noenhanced front textcolor rgb "#000000"
set label 148 "\063\062" at 608.3382,3.0 center noenhanced front textcolor rgb "#000000"
set label 149 "\063\063" at 625.005,3.0 center noenhanced front textcolor rgb "#ffffff"
set label 150 "\063\064" at 641.6718,3.0 center noenhanced front textcolor rgb "#000000"
set label 151 "\063\065" at 655.5608,3.0 center noenhanced front textcolor rgb "#000000"
set label 152 "gpu" at 558.3378,4.0 center noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(13) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 0.5 linecolor rgb "#6e7781" title "refreshes", \
  "data/\061" binary format="%double%double%double%double" record=(21) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer A", \
  "data/\062" binary format="%double%double%double%double" record=(21) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer B", \
  "data/\063" binary format="%double%double%double%double" record=(11) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "buffer C", \
  "data/\064" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#d55e00" fillstyle transparent pattern 4 border linecolor rgb "#d55e00" linewidth 0.8 title "dropped refresh", \
  "data/\065" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors head filled size screen 0.006,20 linewidth 1.2 linecolor rgb "#d55e00" title "hitch"
unset label
unset multiplot
unset output
# data/0: 450.0036 -0.6 450.0036 4.6 466.6704 -0.6 466.6704 4.6 483.3372 -0.6 483.3372 4.6 500.004 -0.6 500.004 4.6 516.6708 -0.6 516.6708 4.6 533.3376 -0.6 533.3376 4.6 550.0044 -0.6 550.0044 4.6 566.6712 -0.6 566.6712 4.6 583.338 -0.6 583.338 4.6 600.0048 -0.6 600.0048 4.6 616.6716 -0.6 616.6716 4.6 633.3384 -0.6 633.3384 4.6 650.0052 -0.6 650.0052 4.6
# data/1: 450.0036 458.337 -0.38 0.38 483.3372 491.6706 -0.38 0.38 516.6708 525.0042 -0.38 0.38 566.6712 575.0046 -0.38 0.38 616.6716 625.005 -0.38 0.38 466.6704 473.3371 0.62 1.38 500.004 506.6707 0.62 1.38 533.3376 540.0043 0.62 1.38 583.338 590.0047 0.62 1.38 633.3384 640.0051 0.62 1.38 444.448 446.6702 1.62 2.38 473.3371 480.0038 1.62 2.38 506.6707 513.3374 1.62 2.38 540.0043 555.0044 1.62 2.38 590.0047 605.0048 1.62 2.38 640.0051 655.0052 1.62 2.38 450.0036 466.6704 2.62 3.38 483.3372 500.004 2.62 3.38 516.6708 533.3376 2.62 3.38 566.6712 583.338 2.62 3.38 616.6716 633.3384 2.62 3.38
# data/2: 466.6704 475.0038 -0.38 0.38 500.004 508.3374 -0.38 0.38 550.0044 558.3378 -0.38 0.38 600.0048 608.3382 -0.38 0.38 650.0052 658.3386 -0.38 0.38 450.0036 456.6703 0.62 1.38 483.3372 490.0039 0.62 1.38 516.6708 523.3375 0.62 1.38 566.6712 573.3379 0.62 1.38 616.6716 623.3383 0.62 1.38 456.6703 463.337 1.62 2.38 490.0039 496.6706 1.62 2.38 523.3375 530.0042 1.62 2.38 573.3379 588.338 1.62 2.38 623.3383 638.3384 1.62 2.38 444.448 450.0036 2.62 3.38 466.6704 483.3372 2.62 3.38 500.004 516.6708 2.62 3.38 533.3376 566.6712 2.62 3.38 600.0048 616.6716 2.62 3.38 650.0052 661.1164 2.62 3.38
# data/3: 533.3376 541.671 -0.38 0.38 583.338 591.6714 -0.38 0.38 633.3384 641.6718 -0.38 0.38 550.0044 556.6711 0.62 1.38 600.0048 606.6715 0.62 1.38 650.0052 656.6719 0.62 1.38 556.6711 571.6712 1.62 2.38 606.6715 621.6716 1.62 2.38 656.6719 661.1164 1.62 2.38 583.338 600.0048 2.62 3.38 633.3384 650.0052 2.62 3.38
# data/4: 550.0044 566.6712 3.7 4.3
# data/5: 550.0044 3.58 566.6712 3.58
